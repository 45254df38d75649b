import { Alert, Anchor, List, Text } from "@mantine/core";
import { Link } from "react-router";
import { ApiError } from "../api/api-error.ts";
import { sentenceOf } from "../parts/problem.tsx";
import { leadAddress } from "../records/lead.ts";
import { useProject } from "../session/me.ts";
import { useLocale, useWords } from "../words/use-words.ts";
import { FORM_WORDS, REFUSALS } from "./form-words.ts";

/** Why a field was not saved; if values do not fit, with the first of these leads. */
export function FieldRefused({ error }: { error: Error }) {
  const words = useWords(FORM_WORDS);
  const locale = useLocale();
  const { id } = useProject();
  const unfit =
    error instanceof ApiError && error.code === "values_do_not_fit"
      ? error.details.map(({ message }) => message)
      : [];
  return (
    <Alert color="red" variant="light" role="alert" title={words.unfit}>
      <Text size="sm">
        {unfit.length > 0 ? words.unfitWhat : sentenceOf(locale, error, REFUSALS[locale])}
      </Text>
      {unfit.length > 0 && (
        <List size="sm" mt={4}>
          {unfit.map((lead) => (
            <List.Item key={lead}>
              <Anchor component={Link} to={leadAddress(id, lead)} size="sm">
                {lead}
              </Anchor>
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

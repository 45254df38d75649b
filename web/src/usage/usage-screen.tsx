import { Alert, Stack } from "@mantine/core";
import { useRead } from "../api/queries.ts";
import { Problem } from "../parts/problem.tsx";
import { Page } from "../parts/screen.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { useWords } from "../words/use-words.ts";
import { ApiKeys } from "./api-keys.tsx";
import { Applications } from "./applications.tsx";
import { Holdings } from "./holdings.tsx";
import { Indexes } from "./indexes.tsx";
import { Limits } from "./limits.tsx";
import { USAGE_WORDS } from "./usage-words.ts";

/** The project's data, its limits, and the keys and applications that access it. */
export function Screen() {
  const words = useWords(USAGE_WORDS);
  const { data, error, isPending, refetch } = useRead("usage", "/v1/usage");
  return (
    <Page title={words.title} lead={words.lead}>
      {isPending && <Waiting lines={5} />}
      {error !== null && <Problem error={error} again={() => void refetch()} />}
      {data !== undefined && (
        <Stack gap="lg">
          <Holdings usage={data} />
          <Limits limits={data.limits} />
          <Indexes indexes={data.indexes} />
          {data.api_keys !== null && <ApiKeys keys={data.api_keys} />}
          {data.applications !== null && <Applications applications={data.applications} />}
          {data.api_keys === null && <Alert variant="light">{words.readOnly}</Alert>}
        </Stack>
      )}
    </Page>
  );
}

import { Button } from "@mantine/core";
import type { UsedApplication } from "../../../src/contract/usage.ts";
import { addressIn } from "../../../src/core/navigation.ts";
import { useProject } from "../session/me.ts";
import { useFormat } from "../words/format.ts";
import { useWords } from "../words/use-words.ts";
import { Callers } from "./callers.tsx";
import { LastUse } from "./last-use.tsx";
import { PEOPLE, USAGE_WORDS } from "./usage-words.ts";

/** The applications that members connected, by last use. They are revoked on their page. */
export function Applications({ applications }: { applications: readonly UsedApplication[] }) {
  const words = useWords(USAGE_WORDS);
  const people = useWords(PEOPLE);
  const { number } = useFormat();
  const { id } = useProject();
  const may = (scopes: readonly string[]) =>
    !scopes.includes("mcp:write") ? words.reads : scopes.includes("mcp:read") ? words.both : words.writes;
  return (
    <Callers
      id="applications"
      title={words.apps}
      none={`${words.noApps} ${words.noAppsWhat}`}
      columns={[words.name, words.may, words.people, words.used]}
      action={
        <Button component="a" href={addressIn(id, "settings/applications")} variant="default" size="xs">
          {words.manageApps}
        </Button>
      }
    >
      {applications.map((application) => (
        <tr key={application.client_id}>
          <th scope="row">
            <bdi>{application.name}</bdi>
          </th>
          <td>{may(application.scopes)}</td>
          <td>{people(application.people, number(application.people))}</td>
          <td>
            <LastUse at={application.last_used_at} />
          </td>
        </tr>
      ))}
    </Callers>
  );
}

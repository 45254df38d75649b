import { Button } from "@mantine/core";
import type { UsedKey } from "../../../src/contract/usage.ts";
import { addressIn } from "../../../src/core/navigation.ts";
import { useProject } from "../session/me.ts";
import { useWords } from "../words/use-words.ts";
import { Callers } from "./callers.tsx";
import { LastUse } from "./last-use.tsx";
import styles from "./usage.module.css";
import { USAGE_WORDS } from "./usage-words.ts";

/** The active keys by last use. They are created and revoked on their page. */
export function ApiKeys({ keys }: { keys: readonly UsedKey[] }) {
  const words = useWords(USAGE_WORDS);
  const { id } = useProject();
  return (
    <Callers
      id="keys"
      title={words.keys}
      none={`${words.noKeys} ${words.noKeysWhat}`}
      columns={[words.name, words.may, words.used]}
      action={
        <Button component="a" href={addressIn(id, "settings/api-keys")} variant="default" size="xs">
          {words.manageKeys}
        </Button>
      }
    >
      {keys.map((key) => (
        <tr key={key.id}>
          <th scope="row">
            <bdi>{key.name}</bdi>
          </th>
          <td>
            <span className={styles.codes}>
              {key.permissions.map((permission) => (
                <code key={permission}>{permission}</code>
              ))}
            </span>
          </td>
          <td>
            <LastUse at={key.last_used_at} />
          </td>
        </tr>
      ))}
    </Callers>
  );
}

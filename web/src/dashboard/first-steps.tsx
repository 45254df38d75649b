import { Button, Paper, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { addressIn } from "../../../src/core/navigation.ts";
import { Icon } from "../parts/icon.tsx";
import { useMay, useProject } from "../session/me.ts";
import { useWords } from "../words/use-words.ts";
import styles from "./dashboard.module.css";
import { DASHBOARD_WORDS } from "./data/dashboard-words.ts";

/** A project without leads: the first steps that the person's role allows. */
export function FirstSteps() {
  const words = useWords(DASHBOARD_WORDS);
  const { id, manages } = useProject();
  const mayWrite = useMay("leads:write");
  return (
    <Paper className={styles.first ?? ""}>
      <Title order={2}>{words.firstTitle}</Title>
      <Text c="dimmed" mt={4}>
        {mayWrite ? words.firstWhat : words.askEditor}
      </Text>
      {mayWrite && (
        <ol className={styles.steps}>
          <li>
            <Icon name="imports" />
            <Title order={3}>{words.importTitle}</Title>
            <Text c="dimmed">{words.importWhat}</Text>
            <Button component={Link} to={addressIn(id, "imports")}>
              {words.importDo}
            </Button>
          </li>
          <li>
            <Icon name="apps" />
            <Title order={3}>{words.connectTitle}</Title>
            <Text c="dimmed">{words.connectWhat}</Text>
            <Button component="a" href={addressIn(id, "settings/overview")} variant="default">
              {words.connectDo}
            </Button>
          </li>
          {manages && (
            <li>
              <Icon name="keys" />
              <Title order={3}>{words.keyTitle}</Title>
              <Text c="dimmed">{words.keyWhat}</Text>
              <Button component="a" href={addressIn(id, "settings/api-keys")} variant="default">
                {words.keyDo}
              </Button>
            </li>
          )}
        </ol>
      )}
    </Paper>
  );
}

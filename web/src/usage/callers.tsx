import { Paper, Text, Title } from "@mantine/core";
import { Children, type ReactNode } from "react";
import styles from "./usage.module.css";

/** A table of callers, with a link to manage them; `none` is shown if there are none. */
export function Callers(section: {
  id: string;
  title: string;
  none: string;
  columns: readonly string[];
  action: ReactNode;
  children: ReactNode;
}) {
  const { id, columns, children } = section;
  return (
    <Paper component="section" aria-labelledby={id}>
      <div className={styles.head}>
        <Title order={2} id={id}>
          {section.title}
        </Title>
        {section.action}
      </div>
      {Children.count(children) === 0 ? (
        <Text c="dimmed" size="sm" px="md" pb="md">
          {section.none}
        </Text>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      )}
    </Paper>
  );
}

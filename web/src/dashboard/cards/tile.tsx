import { Paper, Skeleton, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import bars from "../../table/bars.module.css";
import styles from "./cards.module.css";

/** A longer number is written smaller, because it does not break. */
const LONG = 11;

/** One number with its name and its change; links to its leads. */
export function Tile(tile: {
  name: string;
  note: string;
  value: string | undefined;
  to: string | undefined;
  isOld: boolean;
  children?: ReactNode;
}) {
  return (
    <Paper className={styles.tile ?? ""} aria-busy={tile.value === undefined || tile.isOld}>
      <Text component="h2" className={styles.tileName ?? ""}>
        {tile.to === undefined ? (
          tile.name
        ) : (
          <Link to={tile.to} className={bars.rowLink ?? ""}>
            {tile.name}
          </Link>
        )}
      </Text>
      {tile.value === undefined ? (
        <Skeleton height={28} width="50%" my={4} />
      ) : (
        <p
          className={styles.tileValue}
          data-old={tile.isOld || undefined}
          data-long={tile.value.length > LONG || undefined}
        >
          <bdi>{tile.value}</bdi>
        </p>
      )}
      {tile.children ?? <span className={styles.trend}>&nbsp;</span>}
      <Text className={styles.tileNote ?? ""}>{tile.note}</Text>
    </Paper>
  );
}

import { Paper, Title } from "@mantine/core";
import { Link } from "react-router";
import type { Usage, UsageCount } from "../../../src/contract/usage.ts";
import { addressIn } from "../../../src/core/navigation.ts";
import { SCREENS } from "../../../src/core/panel.ts";
import { useProject } from "../session/me.ts";
import { sizeIn } from "../words/file-size.ts";
import { useFormat } from "../words/format.ts";
import { useLocale, useWords } from "../words/use-words.ts";
import styles from "./usage.module.css";
import { USAGE_WORDS } from "./usage-words.ts";

/** The counts of the project's data, each with a link. */
export function Holdings({ usage }: { usage: Usage }) {
  const words = useWords(USAGE_WORDS);
  const { number } = useFormat();
  const locale = useLocale();
  const { manages } = useProject();
  const { leads, events, datasets, dataset_rows: rows, fields, changes, views, members } = usage;
  const upTo = ({ count, relation }: UsageCount) =>
    relation === "eq" ? number(count) : words.over(number(count));
  return (
    <Paper p="md" component="section" aria-labelledby="holds">
      <Title order={2} id="holds" mb="sm">
        {words.holds}
      </Title>
      <dl className={styles.tiles}>
        <Tile name={words.holdings.leads} value={upTo(leads)} to="leads" />
        <Tile name={words.holdings.events} value={upTo(events)} />
        {datasets !== null && <Tile name={words.holdings.datasets} value={number(datasets)} to="datasets" />}
        {rows !== null && <Tile name={words.holdings.rows} value={upTo(rows)} />}
        <Tile
          name={words.holdings.fields}
          value={number(fields.count)}
          note={words.most(number(fields.most))}
          to="settings/fields"
        />
        <Tile
          name={words.holdings.changes}
          value={sizeIn(locale, changes.bytes)}
          note={[
            ...(changes.most_bytes === null ? [] : [words.most(sizeIn(locale, changes.most_bytes))]),
            words.days(changes.kept_days),
          ].join(", ")}
        />
        <Tile name={words.holdings.views} value={number(views)} />
        <Tile
          name={words.holdings.members}
          value={number(members)}
          {...(manages ? { page: "settings/members" } : {})}
        />
      </dl>
    </Paper>
  );
}

/** A count with its noun; `to` is a screen of the panel, `page` one of the pages. */
function Tile(tile: { name: string; value: string; note?: string; to?: string; page?: string }) {
  const { id } = useProject();
  const { name, to, page } = tile;
  const screens: readonly string[] = SCREENS;
  return (
    <div className={styles.tile}>
      <dt>
        {to !== undefined && screens.includes(to) ? (
          <Link to={addressIn(id, to)}>{name}</Link>
        ) : page === undefined ? (
          name
        ) : (
          <a href={addressIn(id, page)}>{name}</a>
        )}
      </dt>
      <dd>
        {tile.value} {tile.note !== undefined && <small>{tile.note}</small>}
      </dd>
    </div>
  );
}

import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import type { ChangeRecord } from "../../../src/contract/changes/change.ts";
import { addressIn } from "../../../src/core/navigation.ts";
import { useViews } from "../api/queries.ts";
import { useDatasets } from "../datasets/model/use-datasets.ts";
import lines from "../parts/lines.module.css";
import { leadAddress } from "../records/lead.ts";
import { useProjectSchema } from "../records/project-schema.ts";
import { useProject } from "../session/me.ts";
import { useWords } from "../words/use-words.ts";
import { HISTORY_WORDS } from "./history-words.ts";

type Named = Pick<ChangeRecord, "kind" | "id" | "dataset_id" | "name"> & {
  outcome?: ChangeRecord["outcome"];
};

/** What a record is called, with a link to it if there is one. */
export function RecordName({ record }: { record: Named }) {
  const { kind, id, name, dataset_id: dataset } = record;
  const words = useWords(HISTORY_WORDS);
  const { id: project } = useProject();
  const { custom } = useProjectSchema();
  const { data } = useDatasets();
  const { data: saved } = useViews();
  const link = (to: string, text: string) => (
    <Anchor component={Link} to={to} fw={600} inherit>
      <bdi>{text}</bdi>
    </Anchor>
  );
  switch (kind) {
    case "lead":
      return name === null ? (
        <Anchor component={Link} to={leadAddress(project, id)} fw={600} inherit>
          <i>{words.gone}</i>
        </Anchor>
      ) : (
        link(leadAddress(project, id), name)
      );
    case "row": {
      const of = data?.datasets.find((each) => each.id === dataset)?.name;
      // a dataset that is not listed is gone, and so is its screen
      if (of === undefined) return <bdi>{name ?? id}</bdi>;
      return (
        <>
          {link(addressIn(project, `datasets/${dataset}${searchOf(record)}`), name ?? id)}
          <bdi className={lines.note}>{of}</bdi>
        </>
      );
    }
    case "field":
      return link(addressIn(project, "settings/fields"), custom.get(id)?.label ?? id);
    case "view":
      // a view that is deleted has no screen
      return saved?.views.some((view) => view.id === id) ? (
        link(addressIn(project, `leads?view=${encodeURIComponent(id)}`), name ?? id)
      ) : (
        <bdi>{name ?? id}</bdi>
      );
    case "statuses":
      return link(addressIn(project, "settings/statuses"), words.statuses);
    case "untracked":
      return link(addressIn(project, "settings/fields"), words.untracked);
  }
}

/** The search that finds a row among those of its dataset; it looks at texts only. */
const searchOf = ({ name, outcome }: Named): string =>
  name === null || outcome === "deleted" || !Number.isNaN(Number(name))
    ? ""
    : `?q=${encodeURIComponent(name)}`;

import { Select, Text } from "@mantine/core";
import { useWords } from "../../words/use-words.ts";
import { bareGroup, type DatasetPart } from "../model/part.ts";
import { CountField } from "../values/count-field.tsx";
import { PANEL_WORDS } from "../words/panel-words.ts";
import { useEditing } from "./editing.ts";
import { FilterGroup } from "./filter-group.tsx";
import styles from "./rows.module.css";
import { useAskDatasets } from "./use-ask-fields.ts";

/** The conditions on the dataset rows linked to a lead. */
export function DatasetRow({ part, depth }: { part: DatasetPart; depth: number }) {
  const words = useWords(PANEL_WORDS);
  const { change } = useEditing();
  const linked = useAskDatasets().filter(({ lead_link: link }) => link !== null);
  const become = (next: (old: DatasetPart) => DatasetPart) =>
    change(part.id, (old) => (old.kind === "dataset" ? next(old) : old));
  const known = part.key === "" || linked.some(({ key }) => key === part.key);
  if (linked.length === 0 && part.key === "")
    return (
      <Text size="sm" c="dimmed">
        {words.noDatasets}
      </Text>
    );
  return (
    <div className={styles.asked}>
      <Select
        label={words.dataset}
        placeholder={words.chooseDataset}
        data={[
          ...linked.map(({ key, name }) => ({ value: key, label: name })),
          ...(known ? [] : [{ value: part.key, label: `${part.key} (${words.gone})` }]),
        ]}
        value={part.key || null}
        allowDeselect={false}
        searchable
        onChange={(key) => become((old) => ({ ...old, key: key ?? "", where: bareGroup() }))}
      />
      {part.key !== "" && (
        <>
          <CountField
            count={part.count}
            onChange={(count) =>
              become(({ count: _, ...old }) => ({ ...old, ...(count === undefined ? {} : { count }) }))
            }
          />
          <FilterGroup
            part={part.where}
            scope={{ of: "rows", dataset: part.key }}
            depth={depth + 1}
            addLabel={words.rowDetails}
          />
        </>
      )}
    </div>
  );
}

import { Alert, Select, Stack } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router";
import { addressIn } from "../../../src/core/navigation.ts";
import { text, useAddressState } from "../address/use-address-state.ts";
import { useDatasets } from "../datasets/model/use-datasets.ts";
import { Problem } from "../parts/problem.tsx";
import { Page } from "../parts/screen.tsx";
import { useMay, useProject } from "../session/me.ts";
import { useLocale, useWords } from "../words/use-words.ts";
import { DropFile } from "./file/drop-file.tsx";
import { keepFile } from "./file/kept-file.ts";
import { useUpload } from "./file/use-upload.ts";
import { IMPORT_WORDS, REFUSALS } from "./record/import-words.ts";

const ADDRESS = { dataset: text() };

/** The first step: the file, and whether it contains leads or rows of a dataset. */
export function NewImport() {
  const words = useWords(IMPORT_WORDS);
  const locale = useLocale();
  const { id: project } = useProject();
  const may = useMay("leads:write");
  const go = useNavigate();
  const [{ dataset }, change] = useAddressState(ADDRESS);
  const datasets = useDatasets();
  const [error, setError] = useState<unknown>();
  const upload = useUpload();
  const named = datasets.data?.datasets ?? [];
  if (!may)
    return (
      <Page title={words.fresh}>
        <Alert variant="light">{words.noRole}</Alert>
      </Page>
    );
  const take = async (file: File) => {
    setError(undefined);
    try {
      const made = await upload.send(file, dataset === "" ? {} : { dataset });
      if (made === undefined) return;
      keepFile(made.id, file);
      await go(`${addressIn(project, `imports/${made.id}`)}?step=file`, { replace: true });
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Page title={words.fresh}>
      <Stack gap="md">
        <Select
          label={words.target}
          maw="24rem"
          value={dataset === "" ? "leads" : dataset}
          data={[
            { value: "leads", label: words.leads },
            ...named.map(({ key, name }) => ({ value: key, label: name })),
          ]}
          allowDeselect={false}
          searchable
          disabled={upload.progress !== undefined}
          onChange={(value) =>
            change({ dataset: value === null || value === "leads" ? "" : value }, { replace: true })
          }
        />
        {error !== undefined && <Problem error={error} own={REFUSALS[locale]} />}
        <DropFile progress={upload.progress} onFile={(file) => void take(file)} onCancel={upload.cancel} />
      </Stack>
    </Page>
  );
}

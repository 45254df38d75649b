import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { addressIn } from "../../../../src/core/navigation.ts";
import { useApi } from "../../api/queries.ts";
import { failed } from "../../parts/toast.ts";
import { useLocale } from "../../words/use-words.ts";
import { fixedFile, fixedOptions, settled } from "../check/fixed-file.ts";
import { type Fixes, keepFixes } from "../check/fixes.ts";
import { useUpload } from "../file/use-upload.ts";
import type { ImportRecord, Mapping } from "../record/import-record.ts";
import { REFUSALS } from "../record/import-words.ts";

/** Uploads corrected rows as a separate import with the same columns, checks it and opens it. */
export function useSendFixed(record: ImportRecord) {
  const { projectId, send } = useApi();
  const upload = useUpload();
  const locale = useLocale();
  const go = useNavigate();
  return useMutation({
    async mutationFn(fixes: Fixes) {
      const made = await upload.send(fixedFile(record, fixes), fixedOptions(record));
      if (made === undefined) return undefined;
      const present = made.columns.map(({ name }) => name);
      const mapping: Mapping = settled(record.mapping ?? { columns: {} }, record.columns, present);
      await send("PUT", `/v1/imports/${made.id}/mapping`, mapping);
      await send("POST", `/v1/imports/${made.id}/dry-run`);
      return made.id;
    },
    async onSuccess(id) {
      if (id === undefined) return;
      keepFixes(record.id, {});
      await go(`${addressIn(projectId, `imports/${id}`)}?step=check`);
    },
    onError: (error) => failed(locale, error, REFUSALS[locale]),
  });
}

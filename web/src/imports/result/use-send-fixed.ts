import { useNavigate } from "react-router";
import type { Import } from "../../../../src/contract/imports/import.ts";
import type { ImportMapping } from "../../../../src/contract/imports/import-mapping.ts";
import { addressIn } from "../../../../src/core/navigation.ts";
import { useApi } from "../../api/queries.ts";
import { useSubmit } from "../../api/use-submit.ts";
import { failed } from "../../parts/toast.ts";
import { useLocale } from "../../words/use-words.ts";
import { fixedFile, fixedOptions, settled } from "../check/fixed-file.ts";
import { type Fixes, keepFixes } from "../check/fixes.ts";
import { useUpload } from "../file/use-upload.ts";
import { REFUSALS } from "../record/import-words.ts";

/** Uploads corrected rows as a separate import with the same columns, checks it and opens it. */
export function useSendFixed(record: Import) {
  const { projectId, call } = useApi();
  const upload = useUpload();
  const locale = useLocale();
  const go = useNavigate();
  return useSubmit({
    async mutationFn(fixes: Fixes) {
      const made = await upload.send(fixedFile(record, fixes), fixedOptions(record));
      if (made === undefined) return undefined;
      const present = made.columns.map(({ name }) => name);
      const mapping: ImportMapping = settled(record.mapping ?? { columns: {} }, record.columns, present);
      const params = { id: made.id };
      await call("PUT", "/v1/imports/{id}/mapping", { params, body: mapping });
      await call("POST", "/v1/imports/{id}/dry-run", { params });
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

import { Refusal } from "../../core/refusal.ts";

/** The refusal for a caller who may read leads, but not take them out in bulk. */
export const exportWithheld = (text: string): Refusal => new Refusal("forbidden", "export_withheld", text);

/** The same for a viewer of a project that withholds export from its viewers. */
export const withheldFromViewers = (): Refusal =>
  exportWithheld("This project does not let its viewers export leads. Ask an owner or admin.");

/** SQL for whether the role in `role` may export from the project in `project`, as far as the project decides it. */
export const mayExportSql = (role: string, project: string): string =>
  `(${role} <> 'viewer' OR (SELECT viewers_export FROM store.project WHERE project_id = ${project}))`;

import { LongText } from "../../parts/long-text.tsx";
import { isEmpty } from "../../records/value.ts";
import { fieldKind } from "./labels.ts";
import { Status, Tags } from "./status.tsx";
import { useValueText } from "./value-text.ts";

/** A value of a lead's field, for reading. Texts of leads are text: nothing in them is a link. */
export function Value({ field, value, currency }: { field: string; value: unknown; currency?: unknown }) {
  const textOf = useValueText();
  if (field === "status" && !isEmpty(value)) return <Status status={String(value)} />;
  if (Array.isArray(value) && value.length > 0) return <Tags tags={value.map(String)} />;
  return <LongText text={textOf(field, value, currency)} money={fieldKind(field) === "money"} />;
}

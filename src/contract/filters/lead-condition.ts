import { type Static, Type } from "typebox";
import {
  booleanCondition,
  dateCondition,
  emailCondition,
  emptyCondition,
  exactCondition,
  numberCondition,
  openCondition,
  tagsCondition,
  textCondition,
} from "./condition.ts";
import {
  AskedFieldName,
  BooleanFieldName,
  CustomFieldName,
  DateFieldName,
  EmailFieldName,
  EnumFieldName,
  IdFieldName,
  NumberFieldName,
  PhoneFieldName,
  TagsFieldName,
  TextFieldName,
} from "./field-names.ts";

const TextCondition = textCondition(TextFieldName, {
  $id: "TextCondition",
  description:
    "A condition on text, ignoring case and accents. neq, not_in and not_contains also match leads without a value.",
  examples: [
    { field: "company", op: "contains", value: "acme" },
    { field: "source", op: "in", value: ["google", "referral"] },
  ],
});

const EmailCondition = emailCondition(EmailFieldName, {
  $id: "EmailCondition",
  description: "A condition on the e-mail address, ignoring case; eq, neq, in and not_in respect accents.",
  examples: [{ field: "email", op: "domain_in", value: ["example.org"] }],
});

const PhoneCondition = textCondition(PhoneFieldName, {
  $id: "PhoneCondition",
  description:
    "A condition on the phone number. eq, neq, in and not_in compare numbers in E.164; a number without country code is " +
    "one of the project's country.",
  examples: [{ field: "phone", op: "eq", value: "+55 11 91234-5678" }],
});

const NumberCondition = numberCondition(NumberFieldName, {
  $id: "NumberCondition",
  description: "A condition on a number; neq and not_in also match leads without a value.",
  examples: [
    { field: "score", op: "gte", value: 50 },
    { field: "value", op: "between", value: [1_000, 5_000] },
  ],
});

const BooleanCondition = booleanCondition(BooleanFieldName, {
  $id: "BooleanCondition",
  description: "A condition on true or false.",
  examples: [{ field: "do_not_contact", op: "eq", value: false }],
});

const EnumCondition = exactCondition(EnumFieldName, {
  $id: "EnumCondition",
  description:
    "A condition on a value of a fixed list, ignoring case and accents; a value that is no option is refused.",
  examples: [{ field: "status", op: "in", value: ["new", "contacted"] }],
});

const IdCondition = exactCondition(IdFieldName, {
  $id: "IdCondition",
  description: "A condition on an id, compared verbatim; neq and not_in also match leads without a value.",
  examples: [{ field: "external_id", op: "eq", value: "crm-17" }],
});

const TagsCondition = tagsCondition(TagsFieldName, {
  $id: "TagsCondition",
  description: "A condition on a list; case-sensitive, except for emails. has_none also matches empty lists.",
  examples: [{ field: "tags", op: "has_any", value: ["vip"] }],
});

const DateCondition = dateCondition(DateFieldName, {
  $id: "DateCondition",
  description:
    "A condition on a timestamp. older_than does not match leads without a value, not_in_last does. eq with a date " +
    "matches the whole day.",
  examples: [
    { field: "created_at", op: "in_last", value: { n: 30, unit: "day" } },
    { field: "last_activity_at", op: "before", value: "2026-03-31" },
    { field: "created_at", op: "in_period", value: "last_month" },
  ],
});

const EmptyCondition = emptyCondition(AskedFieldName, {
  $id: "EmptyCondition",
  description: "Whether a standard field of any type has a value.",
  examples: [{ field: "company", op: "is_empty" }],
});

const CustomCondition = openCondition(CustomFieldName, {
  $id: "CustomCondition",
  description:
    "A condition on a custom field. The field's type decides which of these operators and values are allowed; " +
    "GET /api/v1/leads/fields lists them.",
  examples: [{ field: "custom.plan", op: "eq", value: "gold" }],
});

/** A condition on a field of a lead. */
export const LeadCondition = Type.Union(
  [
    ...([TextCondition, EmailCondition, PhoneCondition, NumberCondition, BooleanCondition] as const),
    ...([EnumCondition, IdCondition, TagsCondition, DateCondition, EmptyCondition, CustomCondition] as const),
  ],
  { $id: "LeadCondition", description: "A condition on a field of a lead; its type decides the operators." },
);
export type LeadCondition = Static<typeof LeadCondition>;

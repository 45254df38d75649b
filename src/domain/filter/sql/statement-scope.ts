import { type Field, type FieldIndex, hasTerms } from "../../fields/lead-field.ts";
import type { EventEstimates } from "../../fields/project-schema.ts";
import { currencySql, isCurrency } from "../../fields/sales.ts";
import { Parameters } from "../../sql/parameters.ts";

/** The inputs of planning event conditions: estimates, and how many matches the statement reads. */
interface EventPlanning extends EventEstimates {
  wanted: number;
}

/** What the parts of one statement share: parameters, project and time zone. */
export class StatementScope {
  readonly parameters = new Parameters();
  readonly project: string;
  readonly events: EventPlanning;
  /** The start of relative dates. */
  now = "moment()";
  /** Whether the leads are deleted ones. */
  deleted = false;
  /** The index over the domains of e-mail addresses, if it is built. */
  domains: FieldIndex["order"];
  readonly #timezone: string | undefined;

  constructor(projectId: string, timezone: string | undefined, events: EventPlanning) {
    this.project = this.parameters.text(projectId);
    this.#timezone = timezone;
    this.events = events;
  }

  /** The zone as SQL: the request's, else the project's. */
  get zone(): string {
    return this.#timezone === undefined
      ? `(SELECT timezone FROM project WHERE project_id = ${this.project})`
      : this.parameters.text(this.#timezone);
  }

  /** A field's value as SQL of its type; NULL if the JSON value has another type. */
  value(field: Field): string {
    if (field.key === undefined) return this.text(field);
    if (field.type === "number") {
      const read = hasTerms(field) ? "custom_number" : "data_number";
      return `${read}(${field.column}, ${this.parameters.text(field.key)})`;
    }
    if (field.type === "date") return `custom_moment(${this.text(field)}, ${this.zone})`;
    return this.text(field);
  }

  /** A field's value as text. */
  text(field: Field): string {
    if (isCurrency(field)) return currencySql(this.project);
    return field.key === undefined
      ? field.column
      : `(${field.column} ->> ${this.parameters.text(field.key)})`;
  }
}

import { Leads as GeneratedLeads } from "./generated/methods.ts";
import type { Lead, LeadInput, LeadPart, LeadSearchPage, WrittenLead } from "./generated/schema.ts";
import { type Items, items } from "./items.ts";
import type { Answer, CallOptions, ClientOptions, Send } from "./transport.ts";
import { writeOnce } from "./write-once.ts";

type Waits = Pick<ClientOptions, "longestWait">;

type Search = NonNullable<Parameters<GeneratedLeads["search"]>[0]>;

/** The names of fields that a query may ask for. */
type Fields = readonly NonNullable<Search["fields"]>[number][];

/** A query whose `fields` are known to the compiler, or absent. */
type SearchFor<F extends Fields | undefined> = Omit<Search, "fields"> & { fields?: F };

type Member<Name> = Name extends `custom.${string}` ? "custom" : Extract<Name, keyof Lead>;

/**
 * A lead with the fields that the query named: all of them without `fields`; if the names are only known when the
 * program runs, each may be missing.
 */
export type LeadWith<F extends Fields | undefined> = F extends Fields
  ? number extends F["length"]
    ? LeadPart
    : Pick<Lead, "id" | "datasets" | "status_since" | Member<F[number]>>
  : Lead;

type PageWith<F extends Fields | undefined> = Omit<LeadSearchPage, "leads"> & { leads: LeadWith<F>[] };

/** The methods of leads. A search returns leads with exactly the fields that it names. */
export class Leads extends GeneratedLeads {
  readonly #waits: Waits;

  constructor(send: Send, { longestWait }: Waits) {
    super(send);
    this.#waits = longestWait === undefined ? {} : { longestWait };
  }

  override async search<const F extends Fields | undefined = undefined>(
    { fields, ...body }: SearchFor<F> = {},
    options?: CallOptions,
  ): Promise<Answer<PageWith<F>, 200>> {
    const named = fields === undefined ? {} : { fields: [...fields] };
    // The service returns the fields that are named, which the type of the page cannot say.
    return (await super.search({ ...body, ...named }, options)) as Answer<PageWith<F>, 200>;
  }

  override searchAll<const F extends Fields | undefined = undefined>(
    body?: SearchFor<F>,
    options?: CallOptions,
  ): Items<LeadWith<F>, PageWith<F>> {
    return items(
      (cursor) => this.search({ ...body, ...(cursor === undefined ? {} : { cursor }) }, options),
      (page) => page.leads,
    );
  }

  /**
   * Creates a lead with an id of your own, unless there is one: looks for it first, and again after a write whose
   * response did not arrive, so that it is created once. Needs the permissions leads:read and leads:write.
   */
  async createOnce(
    lead: LeadInput & { external_id: string },
    options: CallOptions = {},
  ): Promise<{ data: WrittenLead; created: boolean }> {
    const filter = { field: "external_id", op: "eq", value: lead.external_id } as const;
    return await writeOnce<WrittenLead>({
      ...this.#waits,
      ...options,
      look: async () => (await this.search({ filter, limit: 1 }, options)).data.leads[0],
      write: async () => (await this.create(lead, options)).data,
    });
  }
}

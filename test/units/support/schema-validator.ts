import { Ajv2020 } from "ajv/dist/2020.js";
import type { TSchema } from "typebox";
import { Components } from "../../../src/http/openapi/components.ts";

interface Published {
  /** Whether a value fits the schema. */
  fits(value: unknown): boolean;
  /** The examples of its components that do not fit their own schema, by the component's name. */
  wrongExamples(): string[];
}

/** Returns a check of values against a schema as /openapi.json has it, with another implementation than ours. */
export function published(schema: TSchema): Published {
  const components = new Components();
  const { $ref } = components.place(schema);
  const schemas = components.schemas();
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, keywords: ["components"] });
  ajv.addSchema({ $id: "document", components: { schemas } });
  const validate = ajv.compile({ $ref: `document${String($ref)}` });
  return {
    fits: (value) => validate(value),
    wrongExamples: () =>
      Object.entries(schemas).flatMap(([name, { examples }]) => {
        const fits = ajv.compile({ $ref: `document#/components/schemas/${name}` });
        return (examples as unknown[] | undefined)?.every((example) => fits(example)) === false ? [name] : [];
      }),
  };
}

import { text as readText } from "node:stream/consumers";
import { createPerson } from "../domain/accounts/create-person.ts";
import { type Command, text } from "./command.ts";

export const personCreate: Command = {
  name: "person create",
  usage: "person create --email ADDRESS --name NAME --password-stdin",
  options: { email: { type: "string" }, name: { type: "string" }, "password-stdin": { type: "boolean" } },
  required: ["email", "name", "password-stdin"],
  async run({ options, service }) {
    const password = (await readText(process.stdin)).replace(/\r?\n$/, "");
    const { db } = await service();
    const person = await createPerson(db, {
      email: text(options, "email"),
      name: text(options, "name"),
      password,
    });
    return { id: person.id };
  },
};

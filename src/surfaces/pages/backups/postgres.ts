import type { Locale, Words } from "../../../core/locale.ts";
import { postgresRelease } from "../../../core/postgres-release.ts";
import type { PostgresState } from "../../../domain/operation/service/postgres-state.ts";
import { dayIn } from "../../../http/request/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";

interface PostgresWords {
  title: string;
  /** The version, with its day and its age in days. */
  known(version: string, day: string, days: number): string;
  unknown(version: string): string;
  bundled: string;
  /** Its programs are those of the system, in this folder. */
  system(folder: string): Html;
  newer(versions: string): string;
  leaveBundled: Html;
  updateSystem: string;
}

const WORDS: Words<PostgresWords> = {
  en: {
    title: "Database server",
    known: (version, day, days) =>
      `PostgreSQL ${version}, released on ${day} (${days === 1 ? "one day" : `${days} days`} ago).`,
    unknown: (version) =>
      `PostgreSQL ${version}. This release of Leadgate does not know when it was released.`,
    bundled: "It came with Leadgate.",
    system: (folder) => html`It runs from <code>${folder}</code> (<code>PG_BIN</code>).`,
    newer: (versions) => `Newer versions correct faults, often of security: ${versions}.`,
    leaveBundled: html`An operator can set <code>PG_BIN</code> to the PostgreSQL of the system, which uses the same data.`,
    updateSystem: "An operator can update the system's package and restart the service.",
  },
  "pt-BR": {
    title: "Servidor do banco de dados",
    known: (version, day, days) =>
      `PostgreSQL ${version}, lançado em ${day} (há ${days === 1 ? "um dia" : `${days} dias`}).`,
    unknown: (version) =>
      `PostgreSQL ${version}. Esta versão do Leadgate não conhece a data de lançamento dele.`,
    bundled: "Ele veio com o Leadgate.",
    system: (folder) => html`Ele é executado a partir de <code>${folder}</code> (<code>PG_BIN</code>).`,
    newer: (versions) => `Versões mais novas corrigem falhas, muitas vezes de segurança: ${versions}.`,
    leaveBundled: html`Um operador pode definir <code>PG_BIN</code> para usar o PostgreSQL do sistema com os mesmos dados.`,
    updateSystem: "Um operador pode atualizar o pacote do sistema e reiniciar o serviço.",
  },
};

/** Returns the section with the version and the age of the PostgreSQL that serves the data folder. */
export function postgresSection(locale: Locale, { version, pgBin }: PostgresState): Html {
  const words = WORDS[locale];
  const { released, days, newer } = postgresRelease(version, new Date());
  const day = (date: string) => dayIn(locale, new Date(date));
  const what =
    released === undefined || days === undefined
      ? words.unknown(version)
      : words.known(version, day(released), days);
  const versions = newer.map((each) => `${each.version} (${day(each.released)})`).join(", ");
  return html`<section>
<h2>${words.title}</h2>
<p>${what} ${pgBin === undefined ? words.bundled : words.system(pgBin)}</p>
${newer.length > 0 && html`<p>${words.newer(versions)} ${pgBin === undefined ? words.leaveBundled : words.updateSystem}</p>`}
</section>`;
}

import { Alert, Button, Group, Text } from "@mantine/core";
import { ApiError } from "../api/api-error.ts";
import { type Locale, useLocale, useWords, type Words } from "../words/use-words.ts";

const WORDS: Words<Record<"title" | "again" | "request" | "offline" | "busy", string>> = {
  en: {
    title: "Something went wrong",
    again: "Try again",
    request: "Request",
    offline: "Cannot reach the service. Check your connection and try again.",
    busy: "The service is busy. Nothing was changed. Try again in a moment.",
  },
  "pt-BR": {
    title: "Algo deu errado",
    again: "Tentar novamente",
    request: "Solicitação",
    offline: "Não foi possível acessar o serviço. Verifique sua conexão e tente novamente.",
    busy: "O serviço está ocupado. Nada foi alterado. Tente novamente em instantes.",
  },
};

/** The service's error codes in Portuguese (its messages are English); `{detail}` is the first detail. Screens add the codes that only they can get. */
const PORTUGUESE: Readonly<Record<string, string>> = {
  role: "Seu papel neste projeto não permite isso. Fale com um proprietário.",
  not_found: "Não encontrado.",
  too_many_requests: "Solicitações demais. Aguarde um instante e tente novamente.",
  database_away: "O banco de dados não está disponível. Tente novamente em instantes.",
  migrating: "O serviço está sendo atualizado. Tente novamente em alguns segundos.",
  storage_full:
    "Nada pode ser salvo no momento: o disco do banco de dados está cheio. A leitura continua funcionando. Tente novamente mais tarde.",
  read_only:
    "Nada pode ser salvo no momento: o banco de dados está somente para leitura. A leitura continua funcionando. Tente novamente mais tarde.",
  too_slow: "A consulta demorou demais. Restrinja o filtro e tente novamente.",
  internal: "Algo deu errado do nosso lado. Informe o número da solicitação ao suporte.",
  stale_form: "Esta página está desatualizada. Recarregue-a e tente novamente.",
  external_id_taken: "O lead {detail} já tem este ID externo. Altere aquele lead ou use outro ID externo.",
  address_held:
    "Outro lead já tem este e-mail ou telefone, e este projeto não permite que dois leads tenham o mesmo.",
  stale: "Outra pessoa alterou isto enquanto você editava. Recarregue para ver a versão atual.",
  signed_out: "Sua sessão terminou. Entre novamente.",
  too_large: "O conteúdo enviado é grande demais.",
};

/** Codes whose messages are written for programs. */
const BUSY: readonly string[] = ["overloaded", "too_many_at_once"];

/** Returns an error as a sentence for the person. `own` explains codes on this screen. */
export function sentenceOf(
  locale: Locale,
  error: unknown,
  own: Readonly<Record<string, string>> = {},
): string {
  if (!(error instanceof ApiError)) return WORDS[locale].offline;
  const translated = locale === "pt-BR" ? PORTUGUESE[error.code] : undefined;
  if (BUSY.includes(error.code)) return WORDS[locale].busy;
  return own[error.code] ?? translated?.replace("{detail}", error.details[0]?.message ?? "") ?? error.message;
}

/** Whether the same request may succeed later: the service was not reached, or failed. It may have done its work. */
export const mayPass = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500;

export const againIn = (locale: Locale): string => WORDS[locale].again;

/** Something could not be loaded: the reason, the request id to quote, and a button to try again. `own` as of `sentenceOf`. */
export function Problem({
  error,
  own,
  again,
}: {
  error: unknown;
  own?: Readonly<Record<string, string>>;
  again?: (() => void) | undefined;
}) {
  const words = useWords(WORDS);
  const locale = useLocale();
  const id = error instanceof ApiError ? error.requestId : "";
  return (
    <Alert color="red" variant="light" title={words.title} role="alert" radius="lg">
      <Text size="sm">{sentenceOf(locale, error, own)}</Text>
      <Group mt="sm" gap="md">
        {again !== undefined && (
          <Button size="xs" variant="default" onClick={again}>
            {words.again}
          </Button>
        )}
        {id !== "" && (
          <Text size="xs" c="dimmed">
            {words.request} <code>{id}</code>
          </Text>
        )}
      </Group>
    </Alert>
  );
}

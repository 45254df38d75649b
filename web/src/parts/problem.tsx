import { Alert, Button, Group, Text } from "@mantine/core";
import { ApiError } from "../api/api-error.ts";
import { type Locale, useLocale, useWords, type Words } from "../words/use-words.ts";

const WORDS: Words<Record<"title" | "again" | "request" | "offline", string>> = {
  en: {
    title: "That did not work",
    again: "Try again",
    request: "Request",
    offline: "The service cannot be reached. Check your connection and try again.",
  },
  "pt-BR": {
    title: "Não deu certo",
    again: "Tentar de novo",
    request: "Solicitação",
    offline: "O serviço não está acessível. Verifique sua conexão e tente de novo.",
  },
};

/** What the service's own codes mean, for those who do not read English. Screens add what only they can meet. */
const PORTUGUESE: Readonly<Record<string, string>> = {
  role: "Seu papel neste projeto não permite isso. Peça a um proprietário.",
  not_found: "Não existe, ou não existe mais.",
  too_many_requests: "Foram feitos pedidos demais. Espere um instante e tente de novo.",
  database_away: "O banco de dados não está disponível. Tente de novo em instantes.",
  too_slow: "A consulta demorou demais. Restrinja o filtro e tente de novo.",
  internal: "Algo deu errado do nosso lado. Informe o número da solicitação ao suporte.",
  stale_form: "Esta página é antiga demais. Recarregue e tente de novo.",
  stale: "Alguém alterou isto enquanto você editava. Recarregue e veja a versão atual.",
  signed_out: "Sua sessão terminou. Entre de novo.",
  too_large: "O conteúdo enviado é grande demais.",
};

/** An error as a sentence for a person. `own` says what codes mean on this screen. */
export function sentenceOf(
  locale: Locale,
  error: unknown,
  own: Readonly<Record<string, string>> = {},
): string {
  if (!(error instanceof ApiError)) return WORDS[locale].offline;
  return own[error.code] ?? (locale === "pt-BR" ? PORTUGUESE[error.code] : undefined) ?? error.message;
}

/** Something could not be loaded: what happened, the request to quote, and another try. */
export function Problem({ error, again }: { error: unknown; again?: (() => void) | undefined }) {
  const words = useWords(WORDS);
  const locale = useLocale();
  const id = error instanceof ApiError ? error.requestId : "";
  return (
    <Alert color="red" variant="light" title={words.title} role="alert" radius="lg">
      <Text size="sm">{sentenceOf(locale, error)}</Text>
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

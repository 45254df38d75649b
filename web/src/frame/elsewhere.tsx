import { Anchor, Button, Group, Paper, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { useRouteError } from "react-router";
import { ApiError } from "../api/api-error.ts";
import { isMissingFile } from "../parts/newer-version.ts";
import { useWords, type Words } from "../words/use-words.ts";

type Word =
  | "nothing"
  | "noProject"
  | "noProjectWhat"
  | "nothingWhat"
  | "missing"
  | "missingWhat"
  | "wrong"
  | "wrongWhat"
  | "reload"
  | "back"
  | "request";

const WORDS: Words<Record<Word, string>> = {
  en: {
    nothing: "Page not found",
    nothingWhat: "Check the address. The page may have been removed.",
    noProject: "Project not found",
    noProjectWhat: "It does not exist or you are not a member. Ask an owner to invite you.",
    missing: "This page could not be loaded",
    missingWhat:
      "The service could not be reached, or it has a newer version. Reload the page. Text that you have not saved is kept.",
    wrong: "Something went wrong",
    wrongWhat: "This page could not be displayed. Everything you saved is safe.",
    reload: "Reload",
    back: "Back to your projects",
    request: "Request",
  },
  "pt-BR": {
    nothing: "Página não encontrada",
    nothingWhat: "Confira o endereço. A página pode ter sido removida.",
    noProject: "Projeto não encontrado",
    noProjectWhat: "Ele não existe ou você não é membro. Peça um convite a um proprietário.",
    missing: "Não foi possível carregar esta página",
    missingWhat:
      "O serviço está fora de alcance ou tem uma versão mais nova. Recarregue a página. O texto que você ainda não salvou está guardado.",
    wrong: "Algo deu errado",
    wrongWhat: "Não foi possível mostrar esta página. Tudo o que você salvou está seguro.",
    reload: "Recarregar",
    back: "Voltar aos seus projetos",
    request: "Solicitação",
  },
};

function Notice({ title, what, children }: { title: string; what: string; children?: ReactNode }) {
  const words = useWords(WORDS);
  useEffect(() => {
    document.title = `${title} · Leadgate`;
  }, [title]);
  return (
    <Paper p="xl" maw={480} mx="auto" my="xl">
      <Title order={1} tabIndex={-1} mb="xs">
        {title}
      </Title>
      <Text c="dimmed">{what}</Text>
      <Group mt="lg">
        {children}
        <Anchor href="/">{words.back}</Anchor>
      </Group>
    </Paper>
  );
}

export function Nowhere() {
  const words = useWords(WORDS);
  return <Notice title={words.nothing} what={words.nothingWhat} />;
}

export function NoSuchProject() {
  const words = useWords(WORDS);
  return (
    <main id="content">
      <Notice title={words.noProject} what={words.noProjectWhat} />
    </main>
  );
}

/** The page in place of a screen whose files cannot be loaded: offline, or a newer version was deployed. */
export function Missing() {
  const words = useWords(WORDS);
  return (
    <Notice title={words.missing} what={words.missingWhat}>
      <Button onClick={() => location.reload()}>{words.reload}</Button>
    </Notice>
  );
}

/** The error page of a screen that failed to render or to load its files. */
export function Broken() {
  const words = useWords(WORDS);
  const error = useRouteError();
  const id = error instanceof ApiError ? error.requestId : "";
  if (isMissingFile(error)) return <Missing />;
  return (
    <Notice title={words.wrong} what={words.wrongWhat}>
      <Button onClick={() => location.reload()}>{words.reload}</Button>
      {id !== "" && (
        <Text size="sm" c="dimmed">
          {words.request} {id}
        </Text>
      )}
    </Notice>
  );
}

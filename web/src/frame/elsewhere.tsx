import { Anchor, Button, Group, Paper, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { useRouteError } from "react-router";
import { ApiError } from "../api/api-error.ts";
import { useWords, type Words } from "../words/use-words.ts";

type Word =
  | "nothing"
  | "noProject"
  | "noProjectWhat"
  | "nothingWhat"
  | "wrong"
  | "wrongWhat"
  | "reload"
  | "back"
  | "request";

const WORDS: Words<Record<Word, string>> = {
  en: {
    nothing: "There is nothing here",
    nothingWhat: "The address may be mistyped, or what was here is gone.",
    noProject: "No such project",
    noProjectWhat: "It does not exist, or you are not one of its members. Ask an owner to invite you.",
    wrong: "Something went wrong",
    wrongWhat: "This screen could not be shown. Nothing that you saved is lost.",
    reload: "Reload",
    back: "Back to your projects",
    request: "Request",
  },
  "pt-BR": {
    nothing: "Não há nada aqui",
    nothingWhat: "O endereço pode estar errado, ou o que havia aqui não existe mais.",
    noProject: "Projeto não encontrado",
    noProjectWhat: "Ele não existe, ou você não é membro dele. Peça um convite a um proprietário.",
    wrong: "Algo deu errado",
    wrongWhat: "Esta tela não pôde ser mostrada. Nada do que você salvou se perdeu.",
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

/** A screen broke: a fault of ours, or its files could not be loaded. */
export function Broken() {
  const words = useWords(WORDS);
  const error = useRouteError();
  const id = error instanceof ApiError ? error.requestId : "";
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

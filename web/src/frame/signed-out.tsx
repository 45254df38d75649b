import { Button, Modal, Text } from "@mantine/core";
import { useWords, type Words } from "../words/use-words.ts";

const WORDS: Words<{ title: string; what: string; go: string }> = {
  en: {
    title: "You are signed out",
    what: "Your session has ended. Sign in again to return to this page.",
    go: "Sign in",
  },
  "pt-BR": {
    title: "Você não está conectado",
    what: "Sua sessão terminou. Entre de novo para voltar a esta página.",
    go: "Entrar",
  },
};

/** Sends the user to sign-in and back to the same address. It cannot be closed: nothing works without a session. */
export function SignedOut() {
  const words = useWords(WORDS);
  const back = location.pathname + location.search;
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={words.title}
      zIndex={500}
    >
      <Text mb="lg">{words.what}</Text>
      <Button component="a" href={`/sign-in?to=${encodeURIComponent(back)}`} data-autofocus>
        {words.go}
      </Button>
    </Modal>
  );
}

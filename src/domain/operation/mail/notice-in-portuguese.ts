import type { Scope } from "../../../core/permission.ts";
import type { Frame, Notice, Wording } from "./notice.ts";
import { plainName } from "./plain-name.ts";

export const PORTUGUESE_FRAME: Frame = {
  when: "Quando",
  where: "De onde",
  on: "no",
  unknownBrowser: "um navegador ou programa desconhecido",
  address: "endereço IP",
  unknownAddress: "um endereço desconhecido",
  commandLine: "a linha de comando do serviço",
};

const SCOPES: Record<Scope, string> = {
  "mcp:read": "ler e exportar todos os leads e conjuntos de dados, com e-mails e telefones",
  "mcp:write": "criar, alterar e excluir leads e linhas de conjuntos de dados",
};

const CHANGE_PASSWORD =
  "Se não foi você, altere sua senha agora. Isso também desconecta todos os navegadores:";

/** Returns the Portuguese words of a notice. */
export function inPortuguese(notice: Notice): Wording {
  switch (notice.kind) {
    case "new_browser":
      return {
        subject: "Novo acesso à sua conta",
        what: "Alguém entrou na sua conta do Leadgate em um navegador que ainda não tinha sido usado nela.",
        advice: CHANGE_PASSWORD,
        path: "/account",
      };
    case "passkey_added":
      return {
        subject: "Uma chave de acesso foi adicionada à sua conta",
        what: `Esta chave de acesso foi adicionada à sua conta do Leadgate e já pode ser usada para entrar:\n\n  ${plainName(notice.name)}`,
        advice: "Se não foi você, remova a chave aqui e depois altere sua senha:",
        path: "/account/passkeys",
      };
    case "passkey_removed":
      return {
        subject: "Uma chave de acesso foi removida da sua conta",
        what: `Esta chave de acesso foi removida da sua conta do Leadgate e não pode mais ser usada para entrar:\n\n  ${plainName(notice.name)}`,
        advice: "Se não foi você, altere sua senha e confira aqui as suas chaves de acesso:",
        path: "/account/passkeys",
      };
    case "authenticator_on":
      return {
        subject: "A entrada em duas etapas foi ativada",
        what: "Um aplicativo autenticador foi configurado na sua conta do Leadgate. Para entrar com a senha, agora é preciso informar também um código dele.",
        advice: "Se não foi você, desative-a aqui com a sua senha e depois altere a senha:",
        path: "/account/two-factor",
      };
    case "authenticator_off":
      return {
        subject: "A entrada em duas etapas foi desativada",
        what: "O aplicativo autenticador foi removido da sua conta do Leadgate, e os códigos de recuperação deixaram de valer. Agora basta a senha para entrar.",
        advice: "Se não foi você, altere sua senha e ative de novo a entrada em duas etapas aqui:",
        path: "/account/two-factor",
      };
    case "recovery_codes_renewed":
      return {
        subject: "Novos códigos de recuperação foram criados",
        what: "Foram criados novos códigos de recuperação para a sua conta do Leadgate. Os anteriores não funcionam mais.",
        advice: "Se não foi você, altere sua senha e crie novos códigos aqui:",
        path: "/account/two-factor",
      };
    case "recovery_code_used":
      return {
        subject: "Um código de recuperação foi usado",
        what: `Um código de recuperação da sua conta do Leadgate foi usado no lugar do aplicativo autenticador. ${leftWords(notice.left)}`,
        advice: "Se não foi você, altere sua senha e crie novos códigos aqui:",
        path: "/account/two-factor",
      };
    case "wrong_codes":
      return {
        subject: "Alguém sabe a sua senha",
        what: "Alguém informou a senha correta da sua conta do Leadgate e depois errou o código várias vezes. A pessoa não conseguiu entrar.",
        advice: "Se não foi você, essa pessoa sabe a sua senha. Altere-a agora:",
        path: "/account",
      };
    case "factors_ended":
      return {
        subject: "Suas formas de verificação foram removidas",
        what: "O operador do serviço removeu o aplicativo autenticador, os códigos de recuperação e todas as chaves de acesso da sua conta do Leadgate. Agora basta a senha para entrar.",
        advice: "Se você não pediu isso, fale com o operador. Você pode configurar tudo de novo aqui:",
        path: "/account",
      };
    case "password_changed":
      return {
        subject: "Sua senha foi alterada",
        what: "A senha da sua conta do Leadgate foi alterada, e todos os navegadores foram desconectados. Os aplicativos que você autorizou mantêm o acesso; confira-os em Aplicativos conectados (/connected-apps).",
        advice: "Se não foi você, defina uma nova senha imediatamente:",
        path: "/forgot",
      };
    case "application_connected":
      return {
        subject: "Você deu acesso a um novo aplicativo",
        what: `Você deu a este aplicativo acesso aos seus leads:

  ${plainName(notice.clientName)}

Projeto: ${plainName(notice.projectName)}
Ele pode: ${notice.scopes.map((scope) => SCOPES[scope]).join("; ")}
Ele retorna para: ${placeWords(notice.place)}`,
        advice: "Se não foi você, revogue o acesso aqui e depois altere sua senha:",
        path: "/connected-apps",
      };
    case "token_replayed":
      return {
        subject: "O acesso de um aplicativo foi revogado por segurança",
        what: `Um token de atualização deste aplicativo foi usado uma segunda vez:

  ${plainName(notice.clientName)}

Ou o aplicativo cometeu um erro, ou alguém tem uma cópia dos tokens dele. Por segurança, este acesso foi revogado.`,
        advice: "Se você ainda usa o aplicativo, conecte-o de novo. Os aplicativos com acesso à sua conta:",
        path: "/connected-apps",
      };
  }
}

function leftWords(left: number): string {
  if (left === 0) return "Era o último.";
  return left === 1 ? "Resta um código." : `Restam ${left} códigos.`;
}

const placeWords = (place: Extract<Notice, { kind: "application_connected" }>["place"]): string =>
  "host" in place ? place.host : `um programa no aparelho em que você o autorizou (${place.program})`;

import type { Locale } from "../../core/locale.ts";
import type { Refusal } from "../../core/refusal.ts";
import { waitIn } from "../../core/wait-words.ts";

/** Portuguese messages of refusals that people meet on pages, by code; `{wait}` is the time until the next try. */
const PORTUGUESE: Readonly<Record<string, string>> = {
  not_found: "Não há nada neste endereço.",
  internal: "Algo deu errado do nosso lado. Informe o número da solicitação ao suporte.",
  database_away: "O banco de dados não está disponível. Tente de novo em instantes.",
  migrating: "O serviço está sendo atualizado. Tente de novo em alguns segundos.",
  storage_full:
    "Nada pode ser salvo no momento: o disco do banco de dados está cheio. A leitura continua funcionando. Tente de novo mais tarde.",
  read_only:
    "Nada pode ser salvo no momento: o banco de dados está somente para leitura. A leitura continua funcionando. Tente de novo mais tarde.",
  overloaded:
    "O serviço está sobrecarregado neste momento. Nada foi feito: aguarde alguns segundos e tente de novo.",
  database_busy: "O banco de dados está ocupado. Tente de novo em instantes.",
  too_many_at_once:
    "Muitas chamadas suas estão em andamento ao mesmo tempo. Nada foi feito: aguarde alguns segundos e tente de novo.",
  too_slow: "A consulta demorou demais. Restrinja o filtro e tente de novo.",
  too_large: "O conteúdo enviado é grande demais.",
  stale_form:
    "Este formulário expirou ou não veio da nossa página. Volte, recarregue a página e tente de novo.",
  not_a_form: "Envie isto como um formulário.",
  bad_encoding: "Um dos campos não está em UTF-8 válido.",
  bad_name: "Informe um nome de 1 a 200 caracteres.",
  bad_project_name: "O projeto precisa de um nome de 1 a 200 caracteres.",
  bad_timezone: "Escolha um fuso horário da lista, como America/Sao_Paulo.",
  bad_country: "Escolha um país da lista, como BR.",
  bad_currency: "Escolha uma moeda da lista, como BRL.",
  bad_key_name: "A chave precisa de um nome de 1 a 100 caracteres: o que vai usá-la?",
  key_exists: "Esta chave já foi criada e mostrada. Se você não a copiou, revogue-a e crie outra.",
  bad_permission: "Essa permissão não existe.",
  permission_beyond_role:
    "Seu papel neste projeto não tem uma dessas permissões, por isso você não pode dá-la a uma chave. Fale com um proprietário.",
  export_withheld: "Você pode ler leads, mas não exportá-los. Fale com um proprietário ou administrador.",
  no_permission: "Marque pelo menos uma permissão.",
  bad_email: "Este endereço de e-mail não é válido.",
  not_an_address:
    "não é um e-mail nem um telefone; escreva o número com o código do país, como +55 11 91234-5678",
  not_an_email: "não é um endereço de e-mail",
  suppressions_sealed:
    "Não é possível saber quem não deve ser contatado, porque falta uma chave do serviço. Nada foi salvo. Fale com quem opera o serviço.",
  bad_locale: "Escolha um dos idiomas da lista.",
  bad_role: "Escolha um dos papéis da lista.",
  email_in_use:
    "Outra conta usa este endereço. Se ela é sua, redefina a senha dela para entrar e depois a exclua ou altere o endereço dela.",
  same_email: "Este já é o endereço da sua conta. Informe outro.",
  email_link_over:
    "Este link já foi usado ou substituído, tem mais de uma hora ou pertence a outra conta que não a sua.",
  too_many_email_changes:
    "Foram pedidos links demais, por você ou para este endereço. Tente de novo em uma hora.",
  email_taken: "Já existe uma conta com este e-mail.",
  account_exists:
    "Já existe uma conta com este e-mail. Entre para aceitar o convite; se você não sabe a senha, peça um link para definir outra.",
  weak_password: "A senha precisa de 8 a 256 caracteres; é o comprimento que a torna forte.",
  common_password:
    "Muita gente usa esta senha, por isso é uma das primeiras que os invasores tentam. Use uma frase sua ou várias palavras sem relação entre si.",
  password_pattern:
    "Esta senha é um padrão simples: os caracteres se repetem ou seguem uma sequência. Use uma frase sua ou várias palavras sem relação entre si.",
  personal_password:
    "Esta senha é o seu nome, o seu e-mail ou o nome deste serviço. Use uma frase sua ou várias palavras sem relação entre si.",
  same_password: "Esta já é a sua senha atual. Escolha outra.",
  wrong_password: "Esta não é a sua senha atual. Nada foi alterado.",
  setup_done:
    "Este link não funciona mais, porque o serviço já tem uma conta. Entre, ou peça um convite a alguém que tenha uma conta.",
  setup_over:
    "Este link não é válido, tem mais de 24 horas ou foi substituído quando o serviço iniciou de novo. Use o último link exibido ou reinicie o serviço para receber um novo.",
  reset_over: "Este link já foi usado, foi substituído por um mais novo ou tem mais de uma hora.",
  too_many_resets: "Foram pedidos e-mails demais. Tente de novo em uma hora.",
  busy_account: "Seus projetos estão mudando neste momento. Tente de novo.",
  owns_alone:
    "Você é o único proprietário de um projeto. Torne outra pessoa proprietária ou exclua o projeto antes.",
  last_owner: "Um projeto mantém ao menos um proprietário. Torne outra pessoa proprietária antes.",
  owner_only: "Só um proprietário pode nomear, alterar ou remover um proprietário.",
  already_member: "Essa pessoa já está neste projeto.",
  already_in: "Você já está neste projeto. O convite continua aberto para a pessoa convidada.",
  too_many_invitations:
    "Houve convites demais enviados por você, neste projeto ou para este endereço. Tente de novo {wait}.",
  many_invitations: "Há convites abertos demais neste projeto. Cancele alguns antes.",
  invitation_over: "Este convite já foi usado ou cancelado, ou tem mais de sete dias. Peça um novo.",
  name_differs: "Este não é o nome do projeto. Nada foi excluído.",
  wrong_credentials: "E-mail ou senha incorretos.",
  too_many_attempts: "Muitas tentativas sem sucesso. Aguarde um momento.",
  busy: "Muitas pessoas estão entrando agora. Tente de novo em instantes.",
  step_over: "Demorou demais. Entre de novo com sua senha.",
  wrong_code: "Este código está incorreto ou já foi usado.",
  wrong_proof: "Senha incorreta.",
  totp_on: "Já existe um aplicativo autenticador configurado.",
  totp_off: "Nenhum aplicativo autenticador está configurado.",
  bad_passkey: "Não foi possível verificar esta chave de acesso. Tente de novo.",
  bad_passkey_name: "Dê à chave de acesso um nome de 1 a 100 caracteres.",
  bad_passkey_sign_in: "Esta chave de acesso não funcionou. Entre com sua senha.",
  many_passkeys: "Você já tem 20 chaves de acesso. Remova uma antes.",
  no_passkey: "Você não tem essa chave de acesso; talvez já tenha sido removida.",
  passkey_taken: "Esta chave de acesso já está em uso.",
  foreign_form: "Este formulário foi enviado de outro site.",
  no_choice: "O formulário não diz o que revogar. Recarregue a página.",
  bad_page: "Esta página não existe.",
  no_decision: "O formulário foi enviado sem uma decisão.",
  request_unreadable: "O endereço contém caracteres inválidos.",
  request_nameless: "O aplicativo deve enviar client_id exatamente uma vez.",
  request_homeless: "O aplicativo deve enviar redirect_uri exatamente uma vez.",
  client_unknown: "Este aplicativo não está registrado aqui. Ele precisa se registrar de novo.",
  redirect_foreign: "O aplicativo enviou um redirect_uri que não registrou.",
  too_many_documents:
    "Muitos aplicativos foram consultados a partir do seu endereço IP em uma hora. Tente de novo mais tarde.",
  documents_busy: "Há documentos demais sendo buscados. Tente de novo em instantes.",
  document_away:
    "Não foi possível buscar o documento do aplicativo: nenhum servidor em endereço público respondeu por https com um certificado válido.",
  document_slow: "O documento do aplicativo não chegou em 5 segundos.",
  document_status: "O documento do aplicativo não retornou o status 200; não seguimos redirecionamentos.",
  document_type: "O documento do aplicativo não é enviado como application/json.",
  document_encoding: "O documento do aplicativo veio comprimido, o que não foi pedido.",
  document_large: "O documento do aplicativo tem mais de 5 KB.",
  document_not_json: "O documento do aplicativo não é um objeto JSON.",
  document_foreign: "O client_id no documento do aplicativo é diferente do endereço do documento.",
  document_secret: "O documento do aplicativo pede um segredo; token_endpoint_auth_method deve ser none.",
  document_metadata: "O documento do aplicativo é inválido.",
  role: "Seu papel neste projeto não permite isso. Fale com um proprietário.",
  access_ended: "O aplicativo não tem mais acesso a este projeto.",
  address_held:
    "Outro lead já tem este e-mail ou telefone, e este projeto não permite que dois leads tenham o mesmo.",
  already_undone: "Esta alteração já foi desfeita.",
  too_many_changes: "São alterações demais de uma vez. Escolha um momento mais recente.",
  ambiguous: "Vários leads têm o mesmo id externo, e-mail ou telefone.",
  count_changed: "O número de leads encontrados mudou. Peça ao aplicativo que proponha a alteração de novo.",
  duplicate: "Já existe um lead com este id externo, e-mail ou telefone.",
  external_id_taken: "Outro lead tem este id externo.",
  insufficient_role: "Seu papel neste projeto não permite isso. Fale com um proprietário.",
  interrupted: "O serviço foi interrompido enquanto fazia isto, e nada foi registrado.",
  nothing_to_approve: "Isto não alteraria nada.",
  stale: "O lead foi alterado depois. Peça ao aplicativo que proponha a alteração de novo.",
};

/** Returns a refusal's message in a person's language; in English if there is no translation. */
export function messageIn(
  locale: Locale,
  { code, message, retryAfter = 60 }: Pick<Refusal, "code" | "message"> & { retryAfter?: number | undefined },
): string {
  const portuguese = locale === "pt-BR" ? PORTUGUESE[code] : undefined;
  return portuguese?.replace("{wait}", waitIn(locale, retryAfter)) ?? message;
}

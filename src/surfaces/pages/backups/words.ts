import type { Words } from "../../../core/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";

interface BackupWords {
  title: string;
  intro: string;
  off: Html;
  on(host: string): string;
  daily(at: string, zone: string, days: number): string;
  none: string;
  newest(when: string): string;
  any(from: string, until: string): string;
  notArchived(why: string | undefined): string;
  verified(when: string, ago: string): string;
  notVerified: string;
  verifyFailed(when: string, why: string): string;
  sameDisk: Html;
  storeHasAll: string;
  storeWaits(size: string): string;
  storeUnknown: string;
  storeDelay(time: string): string;
  storeFailed(when: string, why: string): string;
  failed(when: string, why: string): string;
  silent(when: string): string;
  noKey: Html;
  restore: string;
  finished: string;
  size: string;
  name: string;
  release: string;
  key: string;
  encrypted: string;
  yes: string;
  has: string;
  hasNot: string;
  older(count: string): string;
}

const SETTING = html`<code>BACKUPS='{"to": "/var/backups/leadgate"}'</code>`;

export const BACKUP_WORDS: Words<BackupWords> = {
  en: {
    title: "Backups",
    intro:
      "The regular backups of this instance, with all of its projects. Only owners of the instance can see this.",
    off: html`No instance makes regular backups of this database. Set ${SETTING} and restart the service, or use the backup tools of your PostgreSQL.`,
    on: (host) => `on ${host}`,
    daily: (at, zone, days) =>
      `Daily at ${at} (${zone}). Backups are kept for ${days === 1 ? "one day" : `${days} days`}, the newest one longer if there is no other.`,
    none: "There is no backup yet. The first one starts within a minute after the service.",
    newest: (when) => `The newest backup is from ${when}.`,
    any: (from, until) => `Any time from ${from} to ${until} can be restored.`,
    notArchived: (why) =>
      `The log of the database is not archived at the moment${why === undefined ? "." : `: ${why}`} The service keeps trying.`,
    verified: (when, ago) =>
      `The newest backup and the log behind it were last restored and compared at ${when} (${ago}).`,
    notVerified:
      "No backup has been restored and compared yet. The service does so in the first night after the first backup.",
    verifyFailed: (when, why) =>
      `The backup could not be verified at ${when}: ${why} It is tried again tomorrow.`,
    sameDisk: html`These backups are on the disk that has the data: if it fails, both are lost. Let <code>BACKUPS</code> name a folder on another disk.`,
    storeHasAll:
      "Everything complete is in the store; the segment of the log that still grows follows when it is full.",
    storeWaits: (size) => `The store still lacks ${size}.`,
    storeUnknown: "It is not known yet what the store has.",
    storeDelay: (time) => `In the last 24 hours, a file took at most ${time} to arrive.`,
    storeFailed: (when, why) =>
      `The store has taken nothing since ${when}: ${why} The service keeps trying, and keeps what waits in its data folder.`,
    failed: (when, why) => `The backup failed at ${when}: ${why} It is tried again after 15 minutes.`,
    silent: (when) =>
      `The instance that makes these backups has not reported since ${when}. Check whether it is running.`,
    noKey: html`The newest backup does not have the secret key. Set <code>BACKUP_PASSPHRASE</code>, or keep a copy of the key in another place: without it, nobody with an authenticator app can sign in after a restore.`,
    restore: "An operator restores the newest backup into an empty data folder with this command:",
    finished: "Finished",
    size: "Size",
    name: "Name",
    release: "Release",
    key: "Secret key",
    encrypted: "Encrypted",
    yes: "Yes",
    has: "Yes, sealed",
    hasNot: "No",
    older: (count) => `and ${count} older ones`,
  },
  "pt-BR": {
    title: "Backups",
    intro:
      "Os backups regulares desta instância, com todos os seus projetos. Só proprietários da instância veem esta página.",
    off: html`Nenhuma instância faz backups regulares deste banco de dados. Defina ${SETTING} e reinicie o serviço, ou use as ferramentas de backup do seu PostgreSQL.`,
    on: (host) => `em ${host}`,
    daily: (at, zone, days) =>
      `Todos os dias às ${at} (${zone}). Os backups são guardados por ${days === 1 ? "um dia" : `${days} dias`}; o mais recente, por mais tempo se não houver outro.`,
    none: "Ainda não há backups. O primeiro começa até um minuto depois do início do serviço.",
    newest: (when) => `O backup mais recente é de ${when}.`,
    any: (from, until) => `Qualquer momento de ${from} até ${until} pode ser restaurado.`,
    notArchived: (why) =>
      `O log do banco de dados não está sendo arquivado no momento${why === undefined ? "." : `: ${why}`} O serviço continua tentando.`,
    verified: (when, ago) =>
      `O backup mais recente e o log que o segue foram restaurados e comparados pela última vez em ${when} (${ago}).`,
    notVerified:
      "Nenhum backup foi restaurado e comparado ainda. O serviço faz isso na primeira noite depois do primeiro backup.",
    verifyFailed: (when, why) =>
      `Não foi possível verificar o backup em ${when}: ${why} Uma nova tentativa será feita amanhã.`,
    sameDisk: html`Estes backups estão no mesmo disco que os dados: se ele falhar, os dois se perdem. Indique em <code>BACKUPS</code> uma pasta em outro disco.`,
    storeHasAll:
      "Tudo o que está completo já está no armazenamento; o segmento do log que ainda cresce segue quando estiver cheio.",
    storeWaits: (size) => `Ainda faltam ${size} no armazenamento.`,
    storeUnknown: "Ainda não se sabe o que o armazenamento contém.",
    storeDelay: (time) => `Nas últimas 24 horas, um arquivo levou no máximo ${time} para chegar.`,
    storeFailed: (when, why) =>
      `O armazenamento não recebe nada desde ${when}: ${why} O serviço continua tentando e guarda na pasta de dados o que espera.`,
    failed: (when, why) =>
      `O backup falhou em ${when}: ${why} Uma nova tentativa será feita depois de 15 minutos.`,
    silent: (when) =>
      `A instância que faz estes backups não envia notícias desde ${when}. Verifique se ela está em execução.`,
    noKey: html`O backup mais recente não contém a chave secreta. Defina <code>BACKUP_PASSPHRASE</code> ou guarde uma cópia da chave em outro lugar: sem ela, quem usa um aplicativo autenticador não consegue entrar depois de uma restauração.`,
    restore: "Um operador restaura o backup mais recente em uma pasta de dados vazia com este comando:",
    finished: "Concluído",
    size: "Tamanho",
    name: "Nome",
    release: "Versão",
    key: "Chave secreta",
    encrypted: "Criptografado",
    yes: "Sim",
    has: "Sim, protegida",
    hasNot: "Não",
    older: (count) => `e mais ${count} anteriores`,
  },
};

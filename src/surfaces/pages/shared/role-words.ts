import type { Words } from "../../../core/locale.ts";
import type { Role } from "../../../core/permission.ts";

/** The names of roles. */
export const ROLE_NAMES: Words<Record<Role, string>> = {
  en: { owner: "Owner", admin: "Admin", editor: "Editor", viewer: "Viewer" },
  "pt-BR": { owner: "Proprietário", admin: "Administrador", editor: "Editor", viewer: "Leitor" },
};

/** What each role may do. */
export const ROLE_ABILITIES: Words<Record<Role, string>> = {
  en: {
    owner: "everything, including deleting the project and adding owners",
    admin: "leads, keys, members",
    editor: "read and change leads",
    viewer: "read leads",
  },
  "pt-BR": {
    owner: "tudo, inclusive excluir o projeto e adicionar proprietários",
    admin: "leads, chaves, membros",
    editor: "ler e alterar leads",
    viewer: "ler leads",
  },
};

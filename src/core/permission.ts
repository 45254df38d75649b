export const PERMISSIONS = [
  "leads:read",
  "leads:write",
  "leads:create",
  "leads:erase",
  "schema:write",
  "datasets:read",
  "datasets:write",
  "datasets:import",
] as const;

/** What a member may do in one project. */
export type Permission = (typeof PERMISSIONS)[number];

/** What work requires of its caller. */
export interface Needs {
  /** One of these is enough. */
  any: readonly Permission[];
  /** Each of these, too. */
  all?: readonly Permission[];
  /** Whether it takes leads out in bulk, which a key, and a project from its viewers, may withhold. */
  exports?: boolean;
  /** False for work that needs the permission to write and changes nothing; see changesData. */
  changes?: boolean;
}

/** Whether work with these needs changes something, which an application may have to ask for first. */
export const changesData = ({ any, all = [], changes }: Needs): boolean =>
  changes ?? (!any.some(isReading) || !all.every(isReading));

const isReading = (permission: Permission): boolean => permission.endsWith(":read");

/** What an application may do with its permission to write: change things, or only ask the person to approve it. */
export const WRITES = ["write", "propose"] as const;

/** See WRITES. */
export type Writes = (typeof WRITES)[number];

export const SCOPES = ["mcp:read", "mcp:write"] as const;

/** What a person may grant to an application. */
export type Scope = (typeof SCOPES)[number];

export const ROLES = ["owner", "admin", "editor", "viewer"] as const;

/** A person's role in a project. */
export type Role = (typeof ROLES)[number];

const READ: readonly Permission[] = ["leads:read", "datasets:read"];

const SCOPE_PERMISSIONS: Record<Scope, readonly Permission[]> = {
  "mcp:read": READ,
  "mcp:write": ["leads:write", "datasets:write", "datasets:import"],
};

const EDIT = PERMISSIONS.filter((permission) => permission !== "leads:erase");

const ROLE_PERMISSIONS: Record<Role, readonly Permission[]> = {
  owner: PERMISSIONS,
  admin: EDIT,
  editor: EDIT,
  viewer: READ,
};

/** What a role may do with leads and datasets. */
export const permissionsOfRole = (role: Role): readonly Permission[] => ROLE_PERMISSIONS[role];

/** The permissions of a token: those of its scopes that its person's current role also has. */
export function permissionsOfGrant(scopes: readonly Scope[], role: Role): Permission[] {
  const granted = new Set(scopes.flatMap((scope) => SCOPE_PERMISSIONS[scope]));
  return permissionsOfRole(role).filter((permission) => granted.has(permission));
}

/** Whether these permissions include what is needed; whether export is withheld is not among them. */
const includesNeeds = (permissions: readonly Permission[], { any, all = [] }: Needs): boolean =>
  any.some((each) => permissions.includes(each)) && all.every((each) => permissions.includes(each));

/** The roles with these permissions. */
export const rolesWith = (needs: Needs): Role[] =>
  ROLES.filter((role) => includesNeeds(permissionsOfRole(role), needs));

/** Whether a role may manage keys, members and settings of its project. */
export const manages = (role: Role): boolean => role === "owner" || role === "admin";

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text);
export const isPermission = (text: string): text is Permission =>
  (PERMISSIONS as readonly string[]).includes(text);
export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

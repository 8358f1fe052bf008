import type { Role } from "@docket/core/schema"

/** Roles from most to least rights. */
export const roles: readonly Role[] = ["owner", "admin", "member", "reviewer", "viewer"]

const names: Record<Role, string> = {
  owner: "Owner",
  admin: "Admin",
  member: "Member",
  reviewer: "Reviewer",
  viewer: "Viewer",
}

export function roleName(role: Role): string {
  return names[role]
}

/** The roles that a user with this role may assign, or create keys for. */
export function rolesUpTo(role: Role): Role[] {
  return roles.slice(roles.indexOf(role))
}

/** "an admin", "a viewer". */
export function withArticle(role: Role): string {
  return /^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`
}

/** The role that a select returned, or else `or`. */
export function roleFrom(value: string, or: Role): Role {
  return roles.find((role) => role === value) ?? or
}

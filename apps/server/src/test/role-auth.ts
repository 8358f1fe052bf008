import { type Auth, bearerToken, type Identity } from "@docket/api"
import { localPerson, Role } from "@docket/core/schema"
import { z } from "zod"

const Shown = z.object({
  role: Role,
  person: z.string().default(localPerson),
  workspace: z.string().default("local"),
  isOperator: z.boolean().default(false),
  limitedTo: z.array(z.string()).optional(),
})
type Shown = z.input<typeof Shown>

/** Trusts the identity that the caller claims. */
export const roleAuth: Auth = {
  cookieName: "docket_roles",
  identify(request) {
    const token = bearerToken(request)
    if (token === null) return null
    const { person, workspace, ...rights } = Shown.parse(JSON.parse(Buffer.from(token, "base64url").toString()))
    const caller = { person, workspace }
    // The cast is safe: tests limit a key only to names of capabilities.
    return { caller, name: person, via: "login", credentialID: "1", ...rights } as Identity
  },
  createLoginCode: () => "code",
  redeemLoginCode: async () => null,
  endLogin: async () => undefined,
}

/** The header that claims this identity. */
export function sayWho(shown: Shown): { authorization: string } {
  return { authorization: `Bearer ${Buffer.from(JSON.stringify(shown)).toString("base64url")}` }
}

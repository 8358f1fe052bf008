import { DocketError } from "@docket/core"
import { z } from "zod"

const Client = z.object({ clientId: z.string().min(1), clientSecret: z.string().min(1).optional() }).strict()

/** An OpenID Connect server, such as a company's own or Keycloak. */
const Oidc = z
  .object({
    /** Part of the redirect address: `<url>/sign-in/<id>`. */
    id: z.string().regex(/^[a-z][a-z0-9-]{0,30}$/, "small letters, digits and dashes"),
    /** The label of the button: "Sign in with …". */
    name: z.string().trim().min(1).max(60),
    /** Its discovery document is at `/.well-known/openid-configuration` below. */
    issuer: z.url({ protocol: /^https?$/ }),
    clientId: z.string().min(1),
    clientSecret: z.string().min(1).optional(),
    /** Whether it may be on this machine or in its networks, and use plain HTTP. */
    allowPrivate: z.boolean().default(false),
  })
  .strict()
export type OidcSettings = z.infer<typeof Oidc>

/** The settings of sign-in providers. */
export const ProviderSettings = z.object({
  oidc: z
    .array(Oidc)
    .max(10)
    .default([])
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, "every provider has an id of its own")
    .refine(
      (all) => all.every(({ id }) => id !== "github" && id !== "google"),
      "github and google are keys of their own",
    ),
  github: Client.optional(),
  google: Client.optional(),
})
export type ProviderSettings = z.infer<typeof ProviderSettings>

/** A provider as the login page shows it. */
export interface SignInProvider {
  id: string
  name: string
}

export function providersOf({ oidc, github, google }: ProviderSettings): SignInProvider[] {
  return [
    ...oidc.map(({ id, name }) => ({ id, name })),
    ...(github ? [{ id: "github", name: "GitHub" }] : []),
    ...(google ? [{ id: "google", name: "Google" }] : []),
  ]
}

/**
 * A secret may be in the environment instead, e.g. `DOCKET_GITHUB_CLIENT_SECRET`. @throws config_invalid without one
 */
export function withSecrets<T extends ProviderSettings>(
  settings: T,
  secrets: Readonly<Record<string, string | undefined>>,
): T {
  const filled = <C extends { clientSecret?: string | undefined }>(id: string, client: C): C => {
    const name = `DOCKET_${id.toUpperCase().replaceAll("-", "_")}_CLIENT_SECRET`
    const clientSecret = secrets[name] || client.clientSecret
    if (clientSecret) return { ...client, clientSecret }
    throw new DocketError("config_invalid", `the provider ${id} has no clientSecret, in team.json or as ${name}`)
  }
  const { oidc, github, google } = settings
  return {
    ...settings,
    oidc: oidc.map((each) => filled(each.id, each)),
    ...(github && { github: filled("github", github) }),
    ...(google && { google: filled("google", google) }),
  }
}

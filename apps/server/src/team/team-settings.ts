import path from "node:path"
import { DocketError } from "@docket/core"
import type { Vault } from "@docket/core/vault"
import { z } from "zod"
import { ProviderSettings, withSecrets } from "./provider-settings.ts"

/** What `docket team init` writes to team.json. */
const TeamFile = z
  .object({
    /** The address for users, without a path. */
    url: z.string(),
    /** Calls per minute. The defaults allow busy browsers, and programs that call all the time. */
    limits: z
      .object({
        perKey: z.number().int().min(1).max(1_000_000).default(60_000),
        perOwner: z.number().int().min(1).max(10_000_000).default(120_000),
        perPerson: z.number().int().min(1).max(1_000_000).default(6_000),
        /** Maximum number of open event streams per sign-in or key, and per user. */
        streams: z
          .object({
            perCredential: z.number().int().min(1).max(100_000).default(100),
            perPerson: z.number().int().min(1).max(100_000).default(200),
          })
          .strict()
          .prefault({}),
        /** Sign-in tries in a window of this many minutes; further tries are refused until it is over. */
        signIn: z
          .object({
            perAccountAndPlace: z.number().int().min(1).max(1_000).default(10),
            perAccount: z.number().int().min(1).max(100_000).default(100),
            perPlace: z.number().int().min(1).max(100_000).default(200),
            minutes: z.number().int().min(1).max(1_440).default(15),
          })
          .strict()
          .prefault({}),
        /** Invitations and reset links in a window of this many minutes. */
        links: z
          .object({
            perPerson: z.number().int().min(1).max(100_000).default(200),
            perAddress: z.number().int().min(1).max(1_000).default(5),
            minutes: z.number().int().min(1).max(1_440).default(60),
          })
          .strict()
          .prefault({}),
      })
      .strict()
      .prefault({}),
    /** Sign-in providers (provider-settings.ts). */
    ...ProviderSettings.shape,
    /** Absolute paths: workspaces must choose their roots inside them. When left out, anywhere. */
    roots: z
      .array(z.string().max(4_096).refine(path.isAbsolute, { error: "name each of the roots by its whole path" }))
      .min(1)
      .max(100)
      .optional(),
    /** Mail server for invitations and reset links; without it, users copy the links. */
    smtp: z
      .object({
        /** `smtps://` for TLS from the start, `smtp://` for STARTTLS; name and password before the host. */
        url: z.url({ protocol: /^smtps?$/ }),
        from: z.string().min(3),
        /** Whether `smtp://` requires TLS; by default everywhere except on this machine. */
        requireTls: z.boolean().optional(),
      })
      .strict()
      .optional(),
  })
  .strict()

/** As far as it says whether there is a team, and where. */
const Given = z.looseObject({ url: z.string().optional() })

export type TeamSettings = z.infer<typeof TeamFile>

export interface TeamEnvironment {
  /** `team` turns accounts on, even without a file. */
  DOCKET_AUTH?: string | undefined
  /** Overrides the address in the file. */
  DOCKET_URL?: string | undefined
  /** The environment, for the secrets of providers. */
  secrets?: Readonly<Record<string, string | undefined>>
}

/**
 * The team settings; null in local mode. Every start reads them, so this file loads no code for accounts.
 * @throws config_invalid when the settings are invalid
 */
export async function readTeamSettings(
  vault: Vault,
  { DOCKET_AUTH, DOCKET_URL, secrets = {} }: TeamEnvironment,
): Promise<TeamSettings | null> {
  const given = Given.nullable().parse(await vault.get("team-settings", ""))
  if (DOCKET_AUTH === "local" || (given === null && DOCKET_AUTH !== "team")) return null
  const url = DOCKET_URL ?? given?.url
  if (url === undefined)
    throw invalid(
      "a team needs an address where people reach Docket: docket team init --url https://docket.example.org, or DOCKET_URL",
    )
  const parsed = TeamFile.safeParse({ ...given, url })
  if (!parsed.success) throw invalid(`team.json: ${z.prettifyError(parsed.error)}`)
  return { ...withSecrets(parsed.data, secrets), url: readPublicUrl(url) }
}

/** The origin of the public address. @throws config_invalid for one with a path, a query or another scheme */
function readPublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain =
    url && /^https?:$/.test(url.protocol) && url.pathname === "/" && url.search + url.hash + url.username === ""
  if (isPlain) return url.origin
  throw invalid(`the address of a team is like https://docket.example.org, without a path; not ${JSON.stringify(text)}`)
}

function invalid(message: string): DocketError {
  return new DocketError("config_invalid", message)
}

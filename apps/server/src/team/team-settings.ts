import path from "node:path"
import { DocketError, readBoundedFileSync } from "@docket/core"
import { z } from "zod"
import { ProviderSettings, withSecrets } from "./provider-settings.ts"

/** `<data>/team.json`, which `docket team init` begins. Nobody but its owner may read it: it holds secrets. */
const TeamFile = z
  .object({
    /** Where people reach the service, without a path. */
    url: z.string(),
    /** Calls in a minute. The usual leave room for programs that call all the time and for busy browsers. */
    limits: z
      .object({
        perKey: z.number().int().min(1).max(1_000_000).default(60_000),
        perOwner: z.number().int().min(1).max(10_000_000).default(120_000),
        perPerson: z.number().int().min(1).max(1_000_000).default(6_000),
        /** Streams of events that one sign-in or key, and one person, may have open at once. */
        streams: z
          .object({
            perCredential: z.number().int().min(1).max(100_000).default(100),
            perPerson: z.number().int().min(1).max(100_000).default(200),
          })
          .strict()
          .prefault({}),
        /** Tries to sign in, in a window of so many minutes: what is used up is refused until it is over. */
        signIn: z
          .object({
            perAccountAndPlace: z.number().int().min(1).max(1_000).default(10),
            perAccount: z.number().int().min(1).max(100_000).default(100),
            perPlace: z.number().int().min(1).max(100_000).default(200),
            minutes: z.number().int().min(1).max(1_440).default(15),
          })
          .strict()
          .prefault({}),
        /** Invitations and links for a new password, in a window of so many minutes. */
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
    /** Where people sign in elsewhere (provider-settings.ts). */
    ...ProviderSettings.shape,
    /** Absolute paths: workspaces name their directories in these, and open nothing else. Without it, anywhere. */
    roots: z
      .array(z.string().max(4_096).refine(path.isAbsolute, { error: "name each of the roots by its whole path" }))
      .min(1)
      .max(100)
      .optional(),
    /** Invitations and links for a new password are sent through it; without it they are copied. */
    smtp: z
      .object({
        /** `smtps://` for TLS from the start, `smtp://` for STARTTLS; name and password before the host. */
        url: z.url({ protocol: /^smtps?$/ }),
        from: z.string().min(3),
        /** Whether `smtp://` goes on only with TLS; left out, anywhere but on this machine. */
        requireTls: z.boolean().optional(),
      })
      .strict()
      .optional(),
  })
  .strict()

export type TeamSettings = z.infer<typeof TeamFile>

export interface TeamEnvironment {
  /** `team` turns team mode on without a file. */
  DOCKET_AUTH?: string | undefined
  /** Wins over the address in the file. */
  DOCKET_URL?: string | undefined
  /** The secrets of providers are looked for here too. */
  secrets?: Readonly<Record<string, string | undefined>>
}

/** Most bytes of the file. */
const fileLimit = 65_536

/**
 * How the service is set up for a team; null in local mode. It is read by every start, so it loads nothing of accounts.
 * @throws config_invalid when the settings cannot be used
 */
export function readTeamSettings(
  data: string,
  { DOCKET_AUTH, DOCKET_URL, secrets = {} }: TeamEnvironment,
): TeamSettings | null {
  const file = teamFile(data)
  const given = readFile(file)
  if (DOCKET_AUTH === "local" || (given === null && DOCKET_AUTH !== "team")) return null
  const url = DOCKET_URL ?? given?.url
  if (url === undefined)
    throw invalid(
      "a team needs an address where people reach Docket: docket team init --url https://docket.example.org, or DOCKET_URL",
    )
  const rest = TeamFile.safeParse({ ...given, url })
  if (!rest.success) throw invalid(`${file}: ${z.prettifyError(rest.error)}`)
  return { ...withSecrets(rest.data, secrets), url: readPublicUrl(url) }
}

/** The settings of a team in a data directory. */
export function teamFile(data: string): string {
  return path.join(data, "team.json")
}

/** The origin of an address that people use. @throws config_invalid for one with a path, a query or another scheme */
function readPublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain =
    url && /^https?:$/.test(url.protocol) && url.pathname === "/" && url.search + url.hash + url.username === ""
  if (isPlain) return url.origin
  throw invalid(`the address of a team is like https://docket.example.org, without a path; not ${JSON.stringify(text)}`)
}

function readFile(file: string): (Record<string, unknown> & { url?: string }) | null {
  try {
    const read: unknown = JSON.parse(readBoundedFileSync(file, fileLimit).toString("utf8"))
    return z.looseObject({ url: z.string().optional() }).parse(read) as Record<string, unknown> & { url?: string }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null
    throw invalid(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function invalid(message: string): DocketError {
  return new DocketError("config_invalid", message)
}

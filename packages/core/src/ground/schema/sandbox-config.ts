import { isAbsolute } from "node:path"
import { z } from "zod"
import { LimitsConfig, raisingKeys, tightenLimits } from "./limits-config.ts"

/** `example.org`, `*.example.org` for every name below it, each also with a port. */
const SandboxHost = z
  .string()
  .max(260)
  .regex(/^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/, {
    error: 'write a host as "packages.example.com", "*.example.org" or "example.org:8443"',
  })

const Place = z.string().min(1).max(1_000)

/** `unix:///run/docker.sock`, or `tcp://engine.example.org:2376`. */
const EngineAddress = z
  .string()
  .max(500)
  .regex(/^(unix:\/\/\/.+|tcp:\/\/[^/\s]+:\d{1,5})$/, {
    error: 'write the address of the engine as "unix:///run/docker.sock" or "tcp://127.0.0.1:2376"',
  })

const AbsoluteFile = z.string().max(1_000).regex(/^\//, { error: "write an absolute path" })

/**
 * `sandbox.docker`: the containers in which commands run with `"executor": "docker"`. Nothing is required here: a key that cannot be
 * read is left out, and must not take the rest of the file with it. Without an image, no command runs.
 */
export const DockerConfig = z.strictObject({
  /** The image, best with its digest: `name@sha256:…`. It is never fetched. */
  image: z
    .string()
    .max(500)
    .regex(/^[\w][\w./:@-]*$/, { error: 'write an image as "name:tag" or "name@sha256:…"' })
    .optional(),
  /** The engine, which has to run on this machine. Default: `unix:///var/run/docker.sock`. */
  host: EngineAddress.optional(),
  /** For an engine behind TLS: files with the certificates and the key. */
  tls: z
    .strictObject({ ca: AbsoluteFile.optional(), cert: AbsoluteFile.optional(), key: AbsoluteFile.optional() })
    .optional(),
  /** Processors that the commands of a session may use, as 1.5. Default: all. */
  cpus: z.number().min(0.1).max(1_000).optional(),
})
export type DockerConfig = z.infer<typeof DockerConfig>

/** `sandbox` in docket.json: what commands can see and reach. A project's own file can only make this stricter. */
export const SandboxConfig = z.strictObject({
  /** Default `on`: used where it can run. `required`: without it no command runs. */
  mode: z.enum(["on", "off", "required"]).optional(),
  /** Where commands run. Default `local`: on this machine. `docker`: in containers. */
  executor: z.enum(["local", "docker"]).optional(),
  docker: DockerConfig.optional(),
  /** Hosts that commands reach, by HTTP and HTTPS. Default: none. */
  network: z.strictObject({ allow: z.array(SandboxHost).max(200).optional() }).optional(),
  /** Places besides the project that commands can change. */
  write: z.array(Place).max(100).optional(),
  /** Places that commands do not see, though the directories around them are visible. */
  hide: z.array(Place).max(100).optional(),
  /** Variables of the service that commands get besides the usual ones. */
  env: z
    .array(z.string().regex(/^[A-Za-z_]\w*$/, { error: 'write the name of a variable, as "GITHUB_ORG"' }))
    .max(200)
    .optional(),
  /** The most that commands may use, also outside the sandbox. */
  limits: LimitsConfig.optional(),
})
export type SandboxConfig = z.infer<typeof SandboxConfig>

const strictness = { off: 0, on: 1, required: 2 }

/** The user's own settings, made tighter by those of a project, which can loosen nothing. */
export function tightenSandbox(own: SandboxConfig = {}, project: SandboxConfig = {}): SandboxConfig {
  const { mode = "on" } = own
  const stricter = project.mode !== undefined && strictness[project.mode] > strictness[mode] ? project.mode : mode
  const allowed = own.network?.allow ?? []
  const projectAllow = project.network?.allow
  const allow = projectAllow === undefined ? allowed : allowed.filter((host) => projectAllow.includes(host))
  const limits = tightenLimits(own.limits, project.limits)
  return {
    mode: stricter,
    ...(own.executor && { executor: own.executor }),
    ...(own.docker && { docker: own.docker }),
    network: { allow },
    write: own.write ?? [],
    hide: [...(own.hide ?? []), ...(project.hide ?? [])],
    ...(own.env && { env: own.env }),
    ...(Object.keys(limits).length > 0 && { limits }),
  }
}

/** The keys of a project's `sandbox` that would loosen the user's own settings; they have no effect. */
export function looseningKeys(own: SandboxConfig = {}, project: SandboxConfig = {}): string[][] {
  const { mode = "on" } = own
  const allowed = own.network?.allow ?? []
  return [
    ...(project.mode !== undefined && strictness[project.mode] < strictness[mode] ? [["mode"]] : []),
    // No place is surely stricter than another.
    ...(project.executor === undefined || project.executor === (own.executor ?? "local") ? [] : [["executor"]]),
    ...(project.docker === undefined ? [] : [["docker"]]),
    ...((project.network?.allow ?? []).some((host) => !allowed.includes(host)) ? [["network", "allow"]] : []),
    ...(project.write === undefined ? [] : [["write"]]),
    ...(project.env === undefined ? [] : [["env"]]),
    ...raisingKeys(own.limits, project.limits).map((keys) => ["limits", ...keys]),
  ]
}

/** The configuration with absolute places: `absolute` resolves a relative one. */
export function withAbsolutePlaces(config: SandboxConfig, absolute: (name: string) => string): SandboxConfig {
  const places = (names: readonly string[]) => names.map((name) => (isAbsolute(name) ? name : absolute(name)))
  return {
    ...config,
    ...(config.write && { write: places(config.write) }),
    ...(config.hide && { hide: places(config.hide) }),
  }
}

import { matchWildcard } from "../../ground/rule/wildcard.ts"

type Variables = Readonly<Record<string, string | undefined>>

/** What decides which variables of the service a command gets. */
export interface CommandVariables {
  /** Pass besides the usual ones: `sandbox.env`. */
  named: readonly string[]
  /** Never pass: what the configuration of providers reads. */
  withheld: readonly string[]
  /** Whether several people share the service: then nothing of it passes but what names no place and no person. */
  isShared: boolean
}

/** Without these hardly a program starts. */
const always = ["PATH", "HOME"]

/** What every program may know of the machine; as wildcards on the upper-case name, as all that follow. */
const plain = [
  "LANG",
  "LANGUAGE",
  "LC_*",
  "TZ",
  "TERM",
  "COLORTERM",
  "TMPDIR",
  "TMP",
  "TEMP",
  "USER",
  "LOGNAME",
  "SHELL",
]

/**
 * Where tool chains, certificates, proxies and desktops are; on Windows, what every program needs. `SSH_AUTH_SOCK` and the
 * registry are what git and package managers need outside the sandbox.
 */
const usual = [
  "JAVA_HOME JDK_HOME GRADLE_HOME GRADLE_USER_HOME MAVEN_HOME M2_HOME ANDROID_HOME ANDROID_SDK_ROOT KOTLIN_HOME SCALA_HOME",
  "GOROOT GOPATH GOBIN GOCACHE GOMODCACHE GOFLAGS GOTOOLCHAIN GOOS GOARCH CGO_ENABLED CARGO_HOME CARGO_TARGET_DIR RUSTUP_HOME",
  "RUSTUP_TOOLCHAIN RUSTFLAGS CC CXX CPP LD AR CFLAGS CXXFLAGS CPPFLAGS LDFLAGS LIBRARY_PATH CPATH PKG_CONFIG_PATH MAKEFLAGS",
  "PYENV_ROOT PYENV_VERSION VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV CONDA_EXE RBENV_ROOT GEM_HOME GEM_PATH BUNDLE_PATH",
  "NVM_DIR NVM_BIN VOLTA_HOME FNM_DIR ASDF_DIR ASDF_DATA_DIR PNPM_HOME COREPACK_HOME BUN_INSTALL DENO_DIR DOTNET_ROOT",
  "NPM_CONFIG_REGISTRY NPM_CONFIG_CACHE PLAYWRIGHT_BROWSERS_PATH SDKMAN_DIR OPAMROOT GHCUP_INSTALL_BASE_PREFIX JULIA_DEPOT_PATH",
  "NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY",
  "SSH_AUTH_SOCK XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY CI",
  "SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES*",
]
  .join(" ")
  .split(" ")

/** `scheme://user:password@host`, wherever it stands; a proxy's may stay. */
const addressWithPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i

/** What belongs to no command and is missed by nobody: of Docket, of the shell that started it, and of npm. */
const ownNames = ["DOCKET_*", "NPM_*", "PWD", "OLDPWD", "SHLVL", "_", "INIT_CWD", "NODE_ENV", "NODE"]

/** The variables of the service that a command gets. */
export function commandEnv(env: Variables, variables: CommandVariables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && passes(entry[0], entry[1], variables),
    ),
  )
}

/** The names of those that it does not get and that somebody may miss; none where several people share the service. */
export function droppedVariables(env: Variables, variables: CommandVariables): string[] {
  if (variables.isShared) return []
  const dropped = Object.entries(env).filter(
    ([name, value]) => value !== undefined && !isAmong(ownNames, name) && !passes(name, value, variables),
  )
  return dropped.map(([name]) => name).sort()
}

function passes(name: string, value: string, { named, withheld, isShared }: CommandVariables): boolean {
  if (isAmong(always, name)) return true
  if (withheld.includes(name)) return false
  if (isAmong(plain, name)) return true
  if (isShared) return false
  if (named.includes(name)) return !isAmong(["DOCKET_*"], name)
  return isAmong(usual, name) && (name.toUpperCase().endsWith("_PROXY") || !addressWithPassword.test(value))
}

function isAmong(patterns: readonly string[], name: string): boolean {
  const upper = name.toUpperCase()
  return patterns.some((pattern) => matchWildcard(pattern, upper))
}

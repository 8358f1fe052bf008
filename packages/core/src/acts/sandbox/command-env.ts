import { matchWildcard } from "../../ground/rule/wildcard.ts"

type Variables = Readonly<Record<string, string | undefined>>

/** Decides which variables of the service a command gets. */
export interface CommandVariables {
  /** Additional variables to pass: `sandbox.env`. */
  named: readonly string[]
  /** Variables never to pass: those that the provider configuration reads. */
  withheld: readonly string[]
  /** Whether several people share the service: then only variables pass that name no path and no person. */
  isShared: boolean
}

/** Almost no program starts without these. */
const always = ["PATH", "HOME"]

/** What every program may know about the machine. Wildcards match the upper-case name, also in the lists below. */
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
 * Locations of tool chains, certificates, proxies and desktops; on Windows, what every program needs. git and package
 * managers need `SSH_AUTH_SOCK` and the registry outside the sandbox.
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

/** `scheme://user:password@host` in any variable; allowed for a proxy. */
const addressWithPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i

/** Variables of Docket, of its shell and of npm, which no command needs. */
const ownNames = ["DOCKET_*", "NPM_*", "PWD", "OLDPWD", "SHLVL", "_", "INIT_CWD", "NODE_ENV", "NODE"]

/** The variables of the service that a command gets. */
export function commandEnv(env: Variables, variables: CommandVariables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && passes(entry[0], entry[1], variables),
    ),
  )
}

/** Variables that commands do not get and a user may miss; none when several people share the service. */
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

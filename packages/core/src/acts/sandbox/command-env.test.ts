import { expect, it } from "vitest"
import { providerVariables } from "../../setup/config/references.ts"
import { commandEnv, droppedVariables } from "./command-env.ts"

const alone = { named: [], withheld: [], isShared: false }
const usual = {
  PATH: "/bin",
  HOME: "/root",
  LC_ALL: "C.UTF-8",
  TERM: "xterm",
  GOPATH: "/go",
  SSH_AUTH_SOCK: "/s",
  HTTPS_PROXY: "http://user:pass@proxy:8080",
  npm_config_registry: "https://example.test",
}
const others = {
  WORK_LOGIN: "hunter2",
  ANTHROPIC_API_KEY: "x",
  LD_PRELOAD: "/evil.so",
  SITE: "https://example.test/a",
  GOFLAGS: "https://user:pass@proxy.test",
}

it("commands get the usual variables and no others", () => {
  const env = { ...usual, ...others, DOCKET_TOKEN_FILE: "/x", npm_lifecycle_event: "start", NONE: undefined }
  expect(commandEnv(env, alone)).toEqual(usual)
  expect(droppedVariables(env, alone)).toEqual(["ANTHROPIC_API_KEY", "GOFLAGS", "LD_PRELOAD", "SITE", "WORK_LOGIN"])
})

it("commands get variables that sandbox.env names, but never Docket's own", () => {
  const named = ["SITE", "GOFLAGS", "DOCKET_TOKEN"]
  expect(commandEnv({ ...others, DOCKET_TOKEN: "x" }, { ...alone, named })).toEqual({
    SITE: others.SITE,
    GOFLAGS: others.GOFLAGS,
  })
})

it("commands never get variables that a provider's configuration reads", () => {
  const options = { apiKey: "{env:LANG}", headers: { team: "{env:SITE}" } }
  const withheld = providerVariables([{ written: { provider: { own: { options, env: ["GOPATH"] } } } }])
  expect(withheld).toEqual(["LANG", "SITE", "GOPATH"])
  const env = { PATH: "/bin", LANG: "key", GOPATH: "key", SITE: "team" }
  expect(commandEnv(env, { ...alone, named: ["SITE"], withheld })).toEqual({ PATH: "/bin" })
})

it("a shared service passes only basic variables and names no dropped ones", () => {
  const shared = { named: ["SITE"], withheld: [], isShared: true }
  expect(commandEnv({ ...usual, ...others }, shared)).toEqual({
    PATH: "/bin",
    HOME: "/root",
    LC_ALL: "C.UTF-8",
    TERM: "xterm",
  })
  expect(droppedVariables({ ...usual, ...others }, shared)).toEqual([])
})

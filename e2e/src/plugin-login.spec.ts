import { mkdir, writeFile } from "node:fs/promises"
import path from "node:path"
import type { Page } from "@playwright/test"
import { findViolationsInLightAndDark } from "./fixtures/find-violations.ts"
import { modelConfig } from "./fixtures/model-config.ts"
import { begin, expect, test } from "./fixtures/test.ts"

/** A plugin that signs in to the provider "account", whose server is that of the scripted model. */
const plugin = (url: string) => `
export default async () => ({
  auth: {
    provider: "account",
    loader: async (getAuth) => ({
      fetch: async (input, init) => {
        const { access } = await getAuth()
        const headers = { ...init.headers, authorization: "Bearer " + access }
        return access === "good" ? fetch(input, { ...init, headers }) : new Response("{}", { status: 401 })
      },
    }),
    methods: [
      {
        type: "oauth",
        label: "Account",
        prompts: [
          { type: "select", key: "kind", message: "Kind of account", options: [{ label: "Own", value: "own" }, { label: "Of a company", value: "company", hint: "by its address" }] },
          { type: "text", key: "address", message: "Address of the company", placeholder: "company.example", when: { key: "kind", op: "eq", value: "company" } },
        ],
        authorize: async ({ kind, address }) => ({
          url: ${JSON.stringify(url)} + "/authorize?for=" + (kind === "company" ? address : "me"),
          instructions: "Copy the code that is shown there.",
          method: "code",
          callback: async (code) => code === "good" ? { type: "success", refresh: "again", access: code, expires: Date.now() + 3600000 } : { type: "failed" },
        }),
      },
      { type: "api", label: "Key" },
    ],
  },
})
`
const region = (page: Page, name: string | RegExp) => page.getByRole("region", { name })

test("a person signs in with a plugin, and out again", async ({ desk, model, server: service }) => {
  await mkdir(path.join(service.data, ".config/docket/plugin"), { recursive: true })
  await writeFile(path.join(service.data, ".config/docket/plugin/account.js"), plugin(model.url))
  const account = {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL: `${model.url}/v1` },
    models: { scripted: {} },
  }
  const config = modelConfig(model.url) as { provider: object }
  await service.configure({ ...config, model: "account/scripted", provider: { ...config.provider, account } })
  model.script({ hello: [{ text: "Hello from your account." }] })

  await desk.goto(`${service.url}/settings/extensions`)
  const plugins = region(desk, "Plugins")
  await plugins.getByRole("button", { name: /account/ }).click()
  const signIn = region(desk, /^Sign in to account/)
  await signIn.getByLabel("Kind of account").selectOption("company")
  await signIn.getByLabel("Address of the company").fill("docs.example")
  for (const width of [1440, 390]) {
    await desk.setViewportSize({ width, height: 844 })
    expect(await findViolationsInLightAndDark(desk)).toEqual([])
  }
  await signIn.getByRole("button", { name: "Sign in to account" }).click()
  await expect(signIn).toContainText("Copy the code that is shown there.")
  await expect(signIn.getByRole("link")).toHaveAttribute("href", `${model.url}/authorize?for=docs.example`)
  await signIn.getByLabel(/^Paste the code/).fill("bad")
  await signIn.getByRole("button", { name: "Finish" }).click()
  await expect(signIn.getByRole("alert")).toContainText("account did not accept it. Begin again.")
  await signIn.getByRole("button", { name: "Begin again" }).click()
  await signIn.getByRole("button", { name: "Sign in to account" }).click()
  await signIn.getByLabel(/^Paste the code/).fill("good")
  await signIn.getByRole("button", { name: "Finish" }).click()
  await expect(signIn).toContainText("Signed in to account.")

  await desk.goto(service.url)
  await begin(desk, "hello")
  await expect(desk.getByText("Hello from your account.")).toBeVisible()

  await desk.goto(`${service.url}/settings/extensions`)
  await expect(plugins).toContainText("signed in to account")
  await plugins.getByRole("button", { name: /account/ }).click()
  await signIn.getByRole("button", { name: "Sign out of account" }).click()
  await expect(plugins).toContainText("signed out of account")
})

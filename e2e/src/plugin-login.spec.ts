import type { Page } from "@playwright/test"
import { withAccountPlugin } from "./fixtures/account-plugin.ts"
import { findViolationsInLightAndDark } from "./fixtures/find-violations.ts"
import { begin, expect, test } from "./fixtures/test.ts"

const region = (page: Page, name: string | RegExp) => page.getByRole("region", { name })

test("a person signs in with a plugin, and out again", async ({ desk, model, server: service }) => {
  await service.configure(await withAccountPlugin(service.data, model.url))
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

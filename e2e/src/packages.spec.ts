import { copyFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import path from "node:path"
import { providerPackage } from "@docket/core/test/package-fixtures"
import { type PackageRegistry, startPackageRegistry } from "@docket/core/test/package-registry"
import { findViolations } from "./fixtures/find-violations.ts"
import { test as base, begin, expect, loaded } from "./fixtures/test.ts"

const echo = "@fixtures/echo"

const test = base.extend<{ registry: PackageRegistry; afar: { server: Server; url: string } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
  registry: async ({}, use) => {
    await using registry = await startPackageRegistry()
    await registry.publish(
      providerPackage("v2", {
        name: echo,
        version: "1.2.3",
        description: "Speaks to a service that repeats.",
        license: "MIT",
        scripts: { postinstall: "exit 1" },
      }),
    )
    await use(registry)
  },
  // The service that the package's provider speaks to.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  afar: async ({}, use) => {
    const server = createServer((_, response) => response.end("Hello from the package."))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    if (typeof address !== "object" || address === null) throw new Error("no port")
    await use({ server, url: `http://127.0.0.1:${address.port}` })
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  },
  userConfig: async ({ afar }, use) => {
    const far = { npm: echo, name: "Afar", options: { baseURL: afar.url }, models: { m: { name: "Echo" } } }
    await use({ model: "far/m", provider: { far } })
  },
  server: async ({ server, registry }, use) => {
    await copyFile(path.join(registry.env.HOME, ".npmrc"), path.join(server.data, ".npmrc"))
    await use(server)
  },
})

test("Settings shows a provider's package, installs it on agreement and removes it", async ({
  desk,
  server,
  registry,
}) => {
  await desk.goto(`${server.url}/settings`)
  const row = desk.getByRole("listitem").filter({ hasText: `by the package ${echo}, which is not installed` })
  await expect(row).toBeVisible()
  expect(registry.asked).toEqual([])

  const look = desk.getByRole("button", { name: "Look at the package of Afar" })
  await look.click()
  const dialog = desk.getByRole("dialog", { name: "Install this package?" })
  await expect(dialog).toContainText("none of the packages that Docket knows: check its name")
  await expect(dialog).toContainText("they are not run")
  await expect(dialog).toContainText("runs with Docket’s rights")
  expect(await findViolations(desk)).toEqual([])
  await dialog.getByRole("button", { name: "Not now" }).click()
  await expect(look).toBeFocused()
  expect(registry.asked.filter((path) => path.endsWith(".tgz"))).toEqual([])

  await look.click()
  await dialog.getByRole("button", { name: "Install it" }).click()
  const installed = desk.getByRole("listitem").filter({ hasText: `${echo}@1.2.3` })
  await expect(installed).toBeVisible()
  await expect(desk.getByRole("heading", { name: "Provider packages" })).toBeFocused()
  await expect(row).toHaveCount(0)
  expect(await findViolations(desk)).toEqual([])

  await desk.goto(server.url)
  await begin(desk, "Are you there?")
  // The session's title may contain the same words.
  await expect(desk.getByRole("article").getByText("Hello from the package.")).toBeVisible()

  await desk.goto(`${server.url}/settings`)
  await desk.getByRole("button", { name: `Remove ${echo} 1.2.3` }).click()
  await expect(installed).toHaveCount(0)
  await expect(row).toBeVisible()
})

test("an invalid package name is refused in the dialog, with advice", async ({ desk, server, registry }) => {
  await desk.goto(`${server.url}/settings`)
  await loaded(desk)
  const field = desk.getByRole("combobox", { name: "Name of a provider package" })
  await field.fill("git+https://code.example/x.git")
  await field.press("Enter")
  const dialog = desk.getByRole("dialog", { name: "Install this package?" })
  await expect(dialog.getByRole("alert")).toContainText("is not a package that Docket installs")
  await expect(dialog.getByRole("button", { name: "Install it" })).toHaveCount(0)
  expect(registry.asked).toEqual([])
})

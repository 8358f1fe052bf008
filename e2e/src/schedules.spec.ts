import { findViolations } from "./fixtures/find-violations.ts"
import { expect, test } from "./fixtures/test.ts"

test.use({ shared: true })

test("people schedule a prompt, run it now, read results, pause and cancel", { tag: "@journey" }, async ({
  desk,
  client,
  model,
}) => {
  model.script({ "Count the tests": [{ text: "There is one test." }] })
  await desk.getByRole("link", { name: "Schedules" }).click()
  await expect(desk.getByText("Nothing is scheduled.")).toBeVisible()
  await desk.getByRole("button", { name: "New schedule" }).click()
  const form = desk.getByRole("form", { name: "New schedule" })
  const when = form.getByRole("textbox", { name: "When" })

  // The service explains how it reads the time, before anything is stored.
  await when.fill("every blue moon")
  await expect(form.getByText(/is not a time that Docket understands/)).toBeVisible()
  await when.fill("every weekday at 9:15")
  await expect(form.getByText(/^every weekday at 09:15: /)).toBeVisible()
  await form.getByRole("textbox", { name: "Prompt" }).fill("Count the tests")
  await form.getByText("Run each").click()
  expect(await findViolations(desk)).toEqual([])
  await form.getByRole("button", { name: "Create" }).click()
  await expect(form).toHaveCount(0)

  const planned = desk.getByRole("list", { name: "Planned" })
  await expect(planned.getByText(/^next .* 09:15$/)).toBeVisible()
  expect(await client.schedule.list.query({})).toMatchObject([{ missed: "all", cron: "15 9 * * 1-5" }])
  await planned.getByRole("button", { name: /Count the tests/ }).click()
  await expect(planned.getByText("It has not run yet.")).toBeVisible()
  await planned.getByRole("button", { name: "Run now" }).click()
  const runs = planned.getByRole("list", { name: "Runs" })
  await expect(runs.getByText("There is one test.")).toBeVisible()

  await planned.getByRole("button", { name: "Pause" }).click()
  await expect(planned.getByText("paused")).toBeVisible()
  await planned.getByRole("button", { name: "Resume" }).click()
  await expect(planned.getByText(/^next /)).toBeVisible()
  await planned.getByRole("button", { name: "Cancel schedule" }).click()
  await expect(desk.getByRole("list", { name: "Ended" }).getByText("cancelled")).toBeVisible()

  const ended = desk.getByRole("list", { name: "Ended" })
  await ended.getByRole("button", { name: /Count the tests/ }).click()
  await ended.getByRole("link", { name: "Open the session of this run" }).click()
  await desk.waitForURL(/\/s\/ses_/)
  await expect(desk.getByText("There is one test.").first()).toBeVisible()
})

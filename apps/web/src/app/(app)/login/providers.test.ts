import { expect, it } from "vitest"
import { providerProblem } from "./providers.ts"

it("a failed provider sign-in is explained without repeating the address", () => {
  expect(providerProblem("")).toBeNull()
  expect(providerProblem("?next=%2Fs")).toBeNull()
  expect(providerProblem("?error=account_not_linked")).toContain("has not verified its e-mail address")
  expect(providerProblem("?error=unable_to_create_user")).toContain("Nobody is invited")
  expect(providerProblem("?error=%3Cb%3ECall+555%3C%2Fb%3E&error_description=evil")).toBe(
    "That did not work. Try again, or sign in another way.",
  )
})

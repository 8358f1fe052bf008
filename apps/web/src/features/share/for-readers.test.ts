import { expect, it } from "vitest"
import { forReaders } from "./for-readers.ts"

it("an error for readers leaves out what only the owner can do", () => {
  expect(forReaders("Acme refused the key. Check the key in Settings or in ACME_API_KEY.")).toBe(
    "Acme refused the key.",
  )
  expect(
    forReaders("It does not know v1.2 of this model. Choose another model, or check docket.json. It says: no"),
  ).toBe("It does not know v1.2 of this model. It says: no")
  expect(forReaders("The provider is overloaded.")).toBe("The provider is overloaded.")
})

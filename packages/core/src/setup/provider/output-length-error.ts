/** The longest answer that is taken from a model, in UTF-16 units of its text, reasoning and tool arguments together. */
export const maxAnswerLength = 4_000_000

/** A model did not stop: its answer was cut off at `maxAnswerLength`. */
export class OutputLengthError extends Error {
  constructor() {
    super(
      `The answer was cut off after ${maxAnswerLength.toLocaleString("en-US")} characters, the most that is taken. ` +
        "Ask for a shorter one, or have it written to a file.",
    )
    this.name = "OutputLengthError"
  }
}

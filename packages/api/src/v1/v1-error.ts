/** A refusal of `/v1`: a `Problem`, or plain text where no resource is known yet. */
export class V1Error extends Error {
  readonly status: number
  readonly form: "json" | "text"
  constructor(status: number, message: string, form: "json" | "text" = "json") {
    super(message)
    this.name = "V1Error"
    this.status = status
    this.form = form
  }
}

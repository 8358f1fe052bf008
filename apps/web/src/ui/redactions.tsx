/** Matches the label of redacted text in a share. */
const label = /\[redacted: ([^\]\n]{1,100})\]/

/** Text with highlighted redaction labels. */
export function Redactions({ text }: { text: string }) {
  if (!label.test(text)) return text
  return text.split(label).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      // Pieces have no identity except their position.
      <span key={String(index)} className="redacted">
        redacted: {piece}
      </span>
    ),
  )
}

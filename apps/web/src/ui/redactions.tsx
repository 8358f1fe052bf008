/** What stands in the place of something that a share hides. */
const label = /\[redacted: ([^\]\n]{1,100})\]/

/** Text with the labels of what was taken out of it set apart. */
export function Redactions({ text }: { text: string }) {
  if (!label.test(text)) return text
  return text.split(label).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      // Pieces have no identity but their place.
      <span key={String(index)} className="redacted">
        redacted: {piece}
      </span>
    ),
  )
}

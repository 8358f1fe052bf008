/** Tells the service of a reader whose browser runs no script: of others it learns as they follow the share. */
export function UncountedVisit({ secret }: { secret: string }) {
  return (
    <noscript>
      {/* biome-ignore lint/performance/noImgElement: there is no picture */}
      <img src={`/api/share/${secret}/visit`} alt="" hidden />
    </noscript>
  )
}

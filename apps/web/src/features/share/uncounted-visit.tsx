/** Reports a visit from a browser without scripts. Other visits are counted when they follow the share. */
export function UncountedVisit({ secret }: { secret: string }) {
  return (
    <noscript>
      {/* biome-ignore lint/performance/noImgElement: it only sends a request, and shows no image */}
      <img src={`/api/share/${secret}/visit`} alt="" hidden />
    </noscript>
  )
}

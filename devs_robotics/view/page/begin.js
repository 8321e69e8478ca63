// Begins a replay that stands in a page: makes addresses of its modules, gives these their names, and runs it.

async function begin(options) {
  const text = document.getElementById("replay-modules").textContent;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const imports = await new Response(stream).json();
  for (const name of Object.keys(imports)) imports[name] = `data:text/javascript,${encodeURIComponent(imports[name])}`;
  const map = Object.assign(document.createElement("script"), { type: "importmap", textContent: JSON.stringify({ imports }) });
  document.head.append(map);
  const { replay } = await import("view/replay.js");
  await replay(document.getElementById("replay"), document.getElementById("replay-data"), options);
}

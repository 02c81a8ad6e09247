// Keeps the page for use without a network.
//
// scripts/hooks/finish-build fills in the lists: names and, for the browser to check, hashes of the contents. So an answer
// that is not the build's (a sign-in page, an error with the status of a success) is never kept: then nothing is, and the
// next visit tries again. A file with a hash in its name never changes,
// so it is taken from the cache; any other is asked for first and taken from the cache only where
// the network fails or is slow. An open page keeps the files it began with: what a newer build no
// longer has is thrown away only when no page of the older build is open any more.

const HASHED = [];
const PLAIN = [];
const DOCUMENT = [];

const PATIENCE_MS = 4000;
const CACHE = `packfair ${self.registration.scope}`;
const INDEX = new URL("./", self.registration.scope).href;
const absolute = (name) => new URL(name, self.registration.scope).href;
const address = ([name]) => absolute(name);

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(tidy().then(() => self.clients.claim())));
self.addEventListener("fetch", (event) => {
  const { method, url, mode } = event.request;
  if (method !== "GET" || !url.startsWith(self.registration.scope)) return;
  if (mode === "navigate") {
    // the page has one document; what follows # or ? is the page's own business
    if ([INDEX, absolute("index.html")].includes(url.replace(/[?#].*$/, ""))) event.respondWith(fresh(event.request, INDEX));
  } else if (HASHED.map(address).includes(url)) {
    event.respondWith(kept(event.request));
  } else {
    event.respondWith(fresh(event.request, url));
  }
});

// What a page wants written although it may be loaded again any moment (src/app/arrival.rs).
self.addEventListener("message", (event) => {
  if (event.data?.database) event.waitUntil(write(event.data));
});

function write({ database, version, stores, into, key, value }) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(database, version);
    opening.onerror = () => reject(opening.error);
    opening.onupgradeneeded = () => {
      const missing = stores.filter((name) => !opening.result.objectStoreNames.contains(name));
      for (const name of missing) opening.result.createObjectStore(name);
    };
    opening.onsuccess = () => {
      const transaction = opening.result.transaction(into, "readwrite");
      transaction.objectStore(into).put(value, key);
      transaction.oncomplete = () => resolve(opening.result.close());
      transaction.onabort = () => reject(transaction.error);
    };
  }).catch(() => {}); // the page sees that it is not there, and writes it itself
}

async function keep() {
  const cache = await caches.open(CACHE);
  const missing = [];
  for (const file of HASHED) if (!(await cache.match(address(file)))) missing.push(checked(file, "default"));
  await cache.addAll(missing);
  // the document comes last: it must not be there without the files it names
  for (const file of [...PLAIN, ...DOCUMENT]) await cache.add(checked(file, "no-cache"));
}

function checked([name, integrity], cache) {
  return new Request(absolute(name), { integrity, cache });
}

async function tidy() {
  const cache = await caches.open(CACHE);
  const wanted = new Set([...HASHED, ...PLAIN, ...DOCUMENT].map(address));
  for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request);
}

async function kept(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request.url)) ?? fetch(request);
}

async function fresh(request, key) {
  const cache = await caches.open(CACHE);
  const stored = await cache.match(key);
  if (!stored) return fetch(request);
  const slow = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, stored));
  const answered = fetch(request).then((response) => (response.ok || response.type === "opaqueredirect" ? response : stored), () => stored);
  return Promise.race([answered, slow]);
}

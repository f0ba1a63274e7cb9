// Vitest rewrites `import()` in the files it loads. Modules of a test's workspace are loaded by Node itself, as for users.
module.exports.nativeImport = (/** @type {string} */ url) => import(url);

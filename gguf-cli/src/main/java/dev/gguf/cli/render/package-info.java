/// How answers are shown: text, JSON, CSV and Markdown. Nothing outside this package prints.
@NullMarked
package dev.gguf.cli.render;

import org.jspecify.annotations.NullMarked;

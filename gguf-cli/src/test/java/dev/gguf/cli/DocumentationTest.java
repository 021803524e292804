package dev.gguf.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every public or protected element that a module shows says what it is.
class DocumentationTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  @ParameterizedTest
  @ValueSource(strings = {"gguf-core", "gguf-mapping", "gguf-cli"})
  void everyPublicElementHasAComment(String module) throws IOException {
    Path sources = ROOT.resolve(module).resolve("src/main/java");
    List<Path> files;
    try (Stream<Path> walk = Files.walk(sources)) {
      files =
          walk.filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !sources.relativize(file).toString().contains("internal"))
              .toList();
    }

    assertThat(files).isNotEmpty();
    assertThat(undocumented(files)).isEmpty();
  }

  @Test
  void findsWhatHasNoComment() throws IOException {
    Path file = Files.createTempFile("Sample", ".java");
    try {
      Files.writeString(
          file,
          """
          /// A comment.
          public final class Sample {
            private Sample() {}

            /// A comment.
            public static int one() {
              return 1;
            }

            public static int two() {
              return 2;
            }

            @Override
            public String toString() {
              return "";
            }

            public static final int THREE = 3;

            /// A comment.
            public enum Letter {
              A
            }

            /// A comment.
            public interface Shape {
              int sides();
            }

            /// A comment.
            public record Point(int x, int y) {
              public Point {}
            }

            static final class Hidden {
              public void call() {}
            }
          }
          """);

      assertThat(undocumented(List.of(file)))
          .extracting(place -> place.substring(place.indexOf(": ") + 2))
          .containsExactly("two", "THREE", "A", "sides");
    } finally {
      Files.delete(file);
    }
  }

  private static List<String> undocumented(List<Path> files) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(files));
      DocTrees docs = DocTrees.instance(task);
      List<String> found = new ArrayList<>();
      for (CompilationUnitTree unit : task.parse()) {
        new Uncommented(docs, unit, found).scan(unit, null);
      }
      return found;
    }
  }

  private static final class Uncommented extends TreePathScanner<Void, Void> {
    private final DocTrees docs;
    private final CompilationUnitTree unit;
    private final List<String> found;

    Uncommented(DocTrees docs, CompilationUnitTree unit, List<String> found) {
      this.docs = docs;
      this.unit = unit;
      this.found = found;
    }

    @Override
    public Void visitClass(ClassTree type, Void unused) {
      if (!isShown(type.getModifiers())) {
        return null;
      }
      check(type, type.getSimpleName().toString());
      return super.visitClass(type, null);
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      if (isShown(method.getModifiers()) && !isOverride(method) && !isOfRecord(method)) {
        check(method, method.getName().toString());
      }
      return null;
    }

    @Override
    public Void visitVariable(VariableTree field, Void unused) {
      if (isShown(field.getModifiers())) {
        check(field, field.getName().toString());
      }
      return null;
    }

    private void check(Tree tree, String name) {
      if (docs.getDocCommentTree(getCurrentPath()) == null) {
        long line =
            unit.getLineMap().getLineNumber(docs.getSourcePositions().getStartPosition(unit, tree));
        found.add(unit.getSourceFile().getName() + ":" + line + ": " + name);
      }
    }

    private boolean isShown(ModifiersTree modifiers) {
      return modifiers.getFlags().contains(Modifier.PUBLIC)
          || modifiers.getFlags().contains(Modifier.PROTECTED)
          || (isMemberOfInterface() && !modifiers.getFlags().contains(Modifier.PRIVATE));
    }

    private boolean isMemberOfInterface() {
      TreePath parent = getCurrentPath().getParentPath();
      return parent != null
          && (parent.getLeaf().getKind() == Tree.Kind.INTERFACE
              || parent.getLeaf().getKind() == Tree.Kind.ANNOTATION_TYPE);
    }

    private static boolean isOverride(MethodTree method) {
      return method.getModifiers().getAnnotations().stream()
          .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
    }

    /// A record's own comment tells of its components, and with them of its constructor.
    private boolean isOfRecord(MethodTree method) {
      return getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.RECORD
          && method.getReturnType() == null;
    }
  }
}

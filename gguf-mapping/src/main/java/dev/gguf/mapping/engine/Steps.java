package dev.gguf.mapping.engine;

/// Runs the steps that a profile names, in its order: the order in which a launch meets them.
final class Steps {
  private Steps() {}

  static void run(Attempt attempt) {
    FileSteps file = new FileSteps(attempt);
    AdmissionSteps admission = new AdmissionSteps(attempt);
    ReferenceSteps reference = new ReferenceSteps(attempt);
    NameSteps names = new NameSteps(attempt);
    ModuleSteps modules = new ModuleSteps(attempt);
    for (String step : attempt.profile.words("steps")) {
      switch (step) {
        case "container" -> file.container();
        case "kind" -> file.kind();
        case "absent" -> file.absent();
        case "architecture" -> file.architecture();
        case "required" -> file.required();
        case "refused" -> file.refused();
        case "tokenizer" -> admission.tokenizer();
        case "types" -> file.types();
        case "transformers-types" -> file.transformersTypes();
        case "split" -> file.split();
        case "companions" -> file.companions();
        case "mtp-loaded" -> file.mtpLoaded();
        case "partial" -> file.partial();
        case "reported" -> file.reported();
        case "experts-only" -> file.expertsOnly();
        case "probe" -> admission.probe();
        case "configuration" -> admission.configuration();
        case "plugin-config" -> admission.pluginConfig();
        case "folder-or-file" -> admission.folderOrFile();
        case "causal-table" -> admission.causalTable();
        case "model-type" -> admission.modelType();
        case "reference" -> reference.reference();
        case "override" -> reference.override();
        case "projector" -> reference.projector();
        case "dtype" -> admission.dtype();
        case "parallel" -> admission.parallel();
        case "attention" -> admission.attention();
        case "readable" -> admission.readable();
        case "alias" -> admission.alias();
        case "map" -> names.map();
        case "rename" -> names.rename();
        case "embedding" -> names.embedding();
        case "roles" -> names.roles();
        case "experts" -> names.experts();
        case "kv-b" -> names.kvB();
        case "unfed" -> names.unfed();
        case "suffixless" -> names.suffixless();
        case "mtp" -> names.mtp();
        case "surplus" -> names.surplus();
        case "fused" -> modules.fused();
        case "order" -> modules.order();
        case "replicated" -> modules.replicated();
        case "kernels" -> modules.kernels();
        case "cuts" -> modules.cuts();
        case "tied" -> modules.tied();
        case "config-tied" -> modules.configTied();
        case "vocabulary" -> modules.vocabulary();
        default ->
            throw new IllegalArgumentException(
                attempt.profile.id() + ": there is no step '" + step + "'");
      }
    }
  }
}

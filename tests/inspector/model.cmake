# The inspector's model: no window, no fonts, no OpenGL.
set(model_tests "${CMAKE_CURRENT_LIST_DIR}/model")
cutaway_test(inspector_model_test
  SOURCES
    ${model_tests}/index_model.cpp
    ${model_tests}/small_document.cpp
    ${model_tests}/lists_test.cpp
    ${model_tests}/panels_text_test.cpp
    ${model_tests}/session_test.cpp
    ${model_tests}/storage_model_test.cpp
    ${model_tests}/view_expression_test.cpp
  LINKS inspector_model cutaway_kernels)
